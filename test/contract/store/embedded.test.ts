import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { storeContract } from './contract.ts'

storeContract('The embedded store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'))
  return {
    open: () => openEmbeddedStore({ folder }),
    dispose: () => rm(folder, { recursive: true }),
  }
})
