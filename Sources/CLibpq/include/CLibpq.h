// SPDX-License-Identifier: Apache-2.0

#ifndef ALMANAC_CLIBPQ_H
#define ALMANAC_CLIBPQ_H

#include <stdbool.h>

// libpq, PostgreSQL's client library, which is loaded when it is first used. A program therefore builds without it, and one that uses no
// database does not need it. The declarations are those of libpq-fe.h of PostgreSQL 14, which later versions keep. If that header is
// installed, CLibpq.c compares them with it.

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;

// The values of libpq's enumerations that the package uses.

enum { ALMANAC_CONNECTION_OK = 0, ALMANAC_CONNECTION_BAD = 1 };

enum {
  ALMANAC_POLLING_FAILED = 0,
  ALMANAC_POLLING_READING = 1,
  ALMANAC_POLLING_WRITING = 2,
  ALMANAC_POLLING_OK = 3,
};

enum {
  ALMANAC_RESULT_EMPTY_QUERY = 0,
  ALMANAC_RESULT_COMMAND_OK = 1,
  ALMANAC_RESULT_TUPLES_OK = 2,
  ALMANAC_RESULT_COPY_OUT = 3,
  ALMANAC_RESULT_COPY_IN = 4,
  ALMANAC_RESULT_BAD_RESPONSE = 5,
  ALMANAC_RESULT_NONFATAL_ERROR = 6,
  ALMANAC_RESULT_FATAL_ERROR = 7,
  ALMANAC_RESULT_COPY_BOTH = 8,
};

enum { ALMANAC_TRANSACTION_IDLE = 0, ALMANAC_TRANSACTION_FAILED = 3 };

enum { ALMANAC_ERRORS_VERBOSE = 2 };

/// A connection option, as libpq lists it.
struct almanac_pq_option {
  char *keyword;
  char *envvar;
  char *compiled;
  char *val;
  char *label;
  char *dispchar;
  int dispsize;
};

/// A notification, which almanac_PQfreemem frees.
struct almanac_pq_notification {
  char *relname;
  int be_pid;
  char *extra;
  struct almanac_pq_notification *next;
};

typedef void (*almanac_pq_notice_processor)(void *argument, const char *message);

/// Loads libpq.
///
/// Returns whether it is loaded. The other functions may be called only then.
bool almanac_pq_load(void);

// A line for each function: the type of its result, its name, its parameters, its arguments.
#define ALMANAC_PQ_FUNCTIONS(FUNCTION) \
  FUNCTION(int, PQlibVersion, (void), ()) \
  FUNCTION(int, PQisthreadsafe, (void), ()) \
  FUNCTION(PGconn *, PQconnectStartParams, (const char *const *keywords, const char *const *values, int expands), \
           (keywords, values, expands)) \
  FUNCTION(unsigned, PQconnectPoll, (PGconn * connection), (connection)) \
  FUNCTION(void, PQfinish, (PGconn * connection), (connection)) \
  FUNCTION(unsigned, PQstatus, (const PGconn *connection), (connection)) \
  FUNCTION(unsigned, PQtransactionStatus, (const PGconn *connection), (connection)) \
  FUNCTION(int, PQsocket, (const PGconn *connection), (connection)) \
  FUNCTION(char *, PQerrorMessage, (const PGconn *connection), (connection)) \
  FUNCTION(unsigned, PQsetErrorVerbosity, (PGconn * connection, unsigned verbosity), (connection, verbosity)) \
  FUNCTION(almanac_pq_notice_processor, PQsetNoticeProcessor, \
           (PGconn * connection, almanac_pq_notice_processor processor, void *argument), \
           (connection, processor, argument)) \
  FUNCTION(int, PQsetnonblocking, (PGconn * connection, int value), (connection, value)) \
  FUNCTION(int, PQflush, (PGconn * connection), (connection)) \
  FUNCTION(int, PQsendQueryParams, \
           (PGconn * connection, const char *command, int count, const Oid *types, const char *const *values, \
            const int *lengths, const int *formats, int format), \
           (connection, command, count, types, values, lengths, formats, format)) \
  FUNCTION(int, PQsendPrepare, \
           (PGconn * connection, const char *name, const char *command, int count, const Oid *types), \
           (connection, name, command, count, types)) \
  FUNCTION(int, PQsendQueryPrepared, \
           (PGconn * connection, const char *name, int count, const char *const *values, const int *lengths, \
            const int *formats, int format), \
           (connection, name, count, values, lengths, formats, format)) \
  FUNCTION(int, PQconsumeInput, (PGconn * connection), (connection)) \
  FUNCTION(int, PQisBusy, (PGconn * connection), (connection)) \
  FUNCTION(PGresult *, PQgetResult, (PGconn * connection), (connection)) \
  FUNCTION(void, PQfreemem, (void *pointer), (pointer)) \
  FUNCTION(unsigned, PQresultStatus, (const PGresult *result), (result)) \
  FUNCTION(char *, PQresultErrorField, (const PGresult *result, int code), (result, code)) \
  FUNCTION(int, PQntuples, (const PGresult *result), (result)) \
  FUNCTION(int, PQnfields, (const PGresult *result), (result)) \
  FUNCTION(char *, PQfname, (const PGresult *result, int column), (result, column)) \
  FUNCTION(Oid, PQftype, (const PGresult *result, int column), (result, column)) \
  FUNCTION(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
  FUNCTION(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
  FUNCTION(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column)) \
  FUNCTION(char *, PQcmdTuples, (PGresult * result), (result)) \
  FUNCTION(void, PQclear, (PGresult * result), (result))

// The functions whose types contain one of the structures above.
#define ALMANAC_PQ_STRUCTURE_FUNCTIONS(FUNCTION) \
  FUNCTION(struct almanac_pq_option *, PQconninfoParse, (const char *text, char **message), (text, message)) \
  FUNCTION(struct almanac_pq_option *, PQconndefaults, (void), ()) \
  FUNCTION(void, PQconninfoFree, (struct almanac_pq_option * options), (options)) \
  FUNCTION(struct almanac_pq_notification *, PQnotifies, (PGconn * connection), (connection))

#define ALMANAC_PQ_DECLARATION(RESULT, NAME, PARAMETERS, ARGUMENTS) RESULT almanac_##NAME PARAMETERS;
ALMANAC_PQ_FUNCTIONS(ALMANAC_PQ_DECLARATION)
ALMANAC_PQ_STRUCTURE_FUNCTIONS(ALMANAC_PQ_DECLARATION)
#undef ALMANAC_PQ_DECLARATION

#endif
