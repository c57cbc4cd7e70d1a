/** What a spreadsheet would run as a formula, its wide forms included, or takes off to find one. */
const FIRST = /^(?=[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/
/** Some split at these whatever stands in quotes, and find a formula behind them. */
const INNER = /([;\t\r\n])(?=["' ]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

/** One line of CSV (RFC 4180). What a spreadsheet would take for a formula gets an apostrophe before it. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells
    .map(cell => cell.replace(FIRST, "'").replace(INNER, "$1'"))
    .map(cell => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`
