/** Characters that a spreadsheet runs as a formula, wide forms included, or strips to find one. */
const FIRST = /^(?=[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/
/** Some split at these even inside quotes, and find a formula behind them. */
const INNER = /([;\t\r\n])(?=["' ]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

/** One line of CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets a leading apostrophe. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells
    .map(cell => cell.replace(FIRST, "'").replace(INNER, "$1'"))
    .map(cell => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`
