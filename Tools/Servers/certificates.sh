#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the certificates that the tests of TLS need: usage: certificates.sh FOLDER
#
# ca.pem is the authority that clients trust; NAME.pem is a certificate with its chain, NAME.key its key.
set -euo pipefail
mkdir -p "$1"
cd "$1"

hosts="IP:127.0.0.1,IP:::1,IP:::ffff:127.0.0.1,DNS:localhost,DNS:*.origin.test,DNS:*.proxy.localhost"

# new_key NAME: a key and a signing request.
new_key() {
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" -subj "/CN=$1" 2>/dev/null
}

# authority NAME: an authority of its own, with what "openssl ca" keeps.
authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.pem" -days 30 \
        -subj "/CN=Almanac test authority $1" -addext basicConstraints=critical,CA:TRUE \
        -addext keyUsage=critical,keyCertSign,cRLSign 2>/dev/null
    : >"$1.index"
    mkdir -p "$1.issued"
}

# issue NAME AUTHORITY USAGE SUBJECT-ALTERNATIVE-NAMES [FROM TO]: only "openssl ca" can set both ends of the validity.
issue() {
    new_key "$1"
    cat >"$1.cnf" <<END
[ca]
default_ca = authority
[authority]
database = $2.index
new_certs_dir = $2.issued
rand_serial = yes
default_md = sha256
policy = policy
x509_extensions = extensions
unique_subject = no
[policy]
commonName = supplied
[extensions]
basicConstraints = CA:FALSE
keyUsage = digitalSignature
extendedKeyUsage = $3
subjectAltName = $4
END
    openssl ca -batch -config "$1.cnf" -cert "$2.pem" -keyfile "$2.key" -in "$1.csr" -out "$1.crt" -notext \
        -startdate "${5:-20200101000000Z}" -enddate "${6:-20491231000000Z}" 2>/dev/null
    cat "$1.crt" "$2.pem" >"$1.pem"
    rm "$1.csr" "$1.cnf" "$1.crt"
}

authority ca
authority other-ca
authority system-ca
issue good ca serverAuth "$hosts"
issue wrong-host ca serverAuth "DNS:other.example.test"
issue expired ca serverAuth "$hosts" 20200101000000Z 20210101000000Z
issue not-yet-valid ca serverAuth "$hosts" 20480101000000Z 20490101000000Z
issue untrusted other-ca serverAuth "$hosts"
issue system system-ca serverAuth "$hosts"
issue wrong-usage ca clientAuth "$hosts"
issue client ca clientAuth "DNS:client.test"
issue second-client ca clientAuth "DNS:client.test"
issue other-client other-ca clientAuth "DNS:client.test"
openssl ec -in client.key -aes256 -passout pass:correct -out client-encrypted.key 2>/dev/null
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout self-signed.key -out self-signed.pem -days 30 \
    -subj "/CN=localhost" -addext "subjectAltName=$hosts" 2>/dev/null
printf -- '-----BEGIN CERTIFICATE-----\nnot base 64!\n-----END CERTIFICATE-----\n' >malformed.pem
printf -- '-----BEGIN PRIVATE KEY-----\nnot base 64!\n-----END PRIVATE KEY-----\n' >malformed.key

# The system's authorities, as they look to a process that has this folder mounted over its own.
mkdir -p system-authorities
cp system-ca.pem system-authorities/ca-certificates.crt
cp system-ca.pem "system-authorities/$(openssl x509 -in system-ca.pem -noout -hash).0"
