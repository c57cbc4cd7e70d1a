/** Options that stay absent where they are not given. */
export const OPTIONAL = [
  'secretWhen',
  'starred',
  'unversioned',
  'perEnvironment',
  'unit',
  'when',
  'control',
  'count',
  'rule',
  'onTargetRemoved',
] as const

/** Those of the properties that are given. */
export const givenOf = <T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.flatMap(name => (from[name] === undefined ? [] : [[name, from[name]]]))) as Pick<T, K>
