# The demonstration and the tests, on the official image:
#   docker build -t almanac .
#   docker run --rm almanac                    # ./Scripts/demo
#   docker run --rm almanac ./Scripts/test
FROM swift:6.3

RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq git libcurl4-openssl-dev libsqlite3-dev libssl-dev pkg-config python3 strace \
    && rm -rf /var/lib/apt/lists/*

# Some tests look at what another user may see and do: they need a user who is not root.
RUN useradd --create-home almanac
USER almanac
WORKDIR /home/almanac/src
COPY --chown=almanac:almanac . .
RUN bash -c '. Scripts/common.sh && swift build "${build_options[@]}" --build-tests'

CMD ["./Scripts/demo"]
