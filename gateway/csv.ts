/** What a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** One line of CSV (RFC 4180). A cell that a spreadsheet would take for a formula gets a leading apostrophe. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells
    .map(cell => (FORMULA.test(cell) ? `'${cell}` : cell))
    .map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`
