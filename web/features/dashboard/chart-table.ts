import { csvRecord } from '#domain/csv/cell.ts'

/** The numbers of a chart: the first column names the row. */
export interface ChartTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** Begins with a byte order mark: without it spreadsheets misread accents. */
export const tableCsv = ({ columns, rows }: ChartTable): string =>
  `\ufeff${[columns, ...rows].map(cells => csvRecord(cells.map(String))).join('')}`
