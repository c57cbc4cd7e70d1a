/** Used parts of the library: typed cell values. */
declare module 'read-excel-file/universal' {
  interface ReadSheet {
    readonly sheet: string
    /** A sheet of charts has none. */
    readonly data?: readonly (readonly (string | number | boolean | Date | null)[])[]
  }
  const readWorkbook: (file: Blob) => Promise<readonly ReadSheet[]>
  export default readWorkbook
}
