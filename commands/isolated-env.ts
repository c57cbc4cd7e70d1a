/**
 * Environment of threads and processes that get no setting of this process: the folder of compiled code alone. Without
 * it, each start compiles its TypeScript again.
 */
export const isolatedEnv = (): { readonly NODE_COMPILE_CACHE?: string } => {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}
