import module from 'node:module'
import { join } from 'node:path'
import v8 from 'node:v8'

/** Compiled code is kept from start to start; the variable has the workers keep theirs as well. */
module.enableCompileCache(join(import.meta.dirname, '..', '.cache', 'compile'))
process.env.NODE_COMPILE_CACHE = module.getCompileCacheDir()
/** Loading leaves much garbage at once, and memory grown for it would stay: it grows from when there is work. */
v8.setFlagsFromString('--semi-space-growth-factor=1')
// Only now is anything else loaded, so that it comes from the cache.
const { runGateway } = await import('./run-gateway.ts')
await runGateway()
v8.setFlagsFromString('--semi-space-growth-factor=2')
