import module from 'node:module'
import { join } from 'node:path'
import v8 from 'node:v8'

/** Compiled code is kept from start to start; the variable has the workers keep theirs as well. */
module.enableCompileCache(join(import.meta.dirname, '..', '.cache', 'compile'))
process.env.NODE_COMPILE_CACHE = module.getCompileCacheDir()
/**
 * Loading leaves much garbage at once, and memory grown for it would stay: the space for young objects grows once, from
 * 1 MiB to 4 MiB, which takes two thirds of the collections, and then no more until there is work.
 */
v8.setFlagsFromString('--semi-space-growth-factor=4')
// Only now is anything else loaded, so that it comes from the cache.
await import('./settings.ts')
v8.setFlagsFromString('--semi-space-growth-factor=1')
const { runGateway } = await import('./run-gateway.ts')
await runGateway()
v8.setFlagsFromString('--semi-space-growth-factor=2')
