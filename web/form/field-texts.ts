/** Texts of a field in the reader's language. */
export interface FieldTexts {
  readonly label: string
  readonly hint: string | undefined
  option(value: string): string
  /** Texts of a field of the list's items. */
  member(name: string): FieldTexts
}

/** An error of a field, in the reader's language. */
export interface FieldFault {
  /** Dotted: `headers.0.value`. */
  readonly path: string
  readonly message: string
}

/** The faults below a path, with the rest of their paths. */
export const faultsBelow = (faults: readonly FieldFault[], path: string): readonly FieldFault[] =>
  faults.flatMap(fault =>
    fault.path.startsWith(`${path}.`) ? [{ ...fault, path: fault.path.slice(path.length + 1) }] : [],
  )
