import module from 'node:module'

module.enableCompileCache()
// Only now is anything else loaded, so that it comes from the cache.
const { runGateway } = await import('./run-gateway.ts')
await runGateway()
