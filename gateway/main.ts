import module from 'node:module'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

/** Compiled code is kept from start to start; the variable has the workers keep theirs as well. */
module.enableCompileCache(fileURLToPath(new URL('../.cache/compile', import.meta.url)))
const cache = module.getCompileCacheDir()
if (cache !== undefined) process.env.NODE_COMPILE_CACHE = cache
/**
 * Loading leaves much garbage at once, and memory grown for it would stay: the space for young objects grows from 1 MiB
 * to 4 MiB, and then no more until there is work.
 */
v8.setFlagsFromString('--semi-space-growth-factor=2')
// Only now is anything else loaded, so that it comes from the cache.
await import('./settings.ts')
v8.setFlagsFromString('--semi-space-growth-factor=1')
const { runGateway } = await import('./run-gateway.ts')
await runGateway()
v8.setFlagsFromString('--semi-space-growth-factor=2')

/** After the first requests of those who waited for this node, ms. */
const SETTLE_DELAY_MS = 1_000
// Node.js stores compiled code when it exits: a node that is killed would lose it.
setTimeout(() => module.flushCompileCache(), SETTLE_DELAY_MS).unref()
