#include <sqlite3.h>

// A variadic function is not imported.
static inline int grampad_keep_log_on_close(sqlite3 *connection, int is_kept) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_kept, (int *)0);
}
