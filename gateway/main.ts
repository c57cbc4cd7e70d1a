import module from 'node:module'
import { join } from 'node:path'

/** Compiled code is kept from start to start; the variable has the workers keep theirs as well. */
module.enableCompileCache(join(import.meta.dirname, '..', '.cache', 'compile'))
process.env.NODE_COMPILE_CACHE = module.getCompileCacheDir()
// Only now is anything else loaded, so that it comes from the cache.
const { runGateway } = await import('./run-gateway.ts')
await runGateway()
