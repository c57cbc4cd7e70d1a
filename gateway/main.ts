import module from 'node:module'
import { join } from 'node:path'
import v8 from 'node:v8'
import vm from 'node:vm'

/** Compiled code is kept from start to start; the variable has the workers keep theirs as well. */
module.enableCompileCache(join(import.meta.dirname, '..', '.cache', 'compile'))
process.env.NODE_COMPILE_CACHE = module.getCompileCacheDir()
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
setTimeout(() => {
  // Node.js stores compiled code when it exits: a node that is killed would lose it.
  module.flushCompileCache()
  // Collects the garbage of the start, some 30 MB that an idle node would keep. Takes 0.1 s, once.
  v8.setFlagsFromString('--expose-gc')
  const collect: (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void =
    vm.runInNewContext('gc')
  collect({ type: 'major', flavor: 'last-resort' })
}, SETTLE_DELAY_MS).unref()
