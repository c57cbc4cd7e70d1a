/** Least and greatest number of a field. */
export type Bounds = { readonly min?: number; readonly max?: number }

export const boundsOf = ({ min, max }: Bounds): Bounds => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
})
