import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { keyEvent } from '../keys/shared-ring.ts'
import { openEmbeddedStore } from '../store/embedded/open-embedded-store.ts'
import { followFlows } from './flow-log.ts'

test('flows are in sight again as soon as an edit that could not be handled is handled [P-1493]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-flows-'))
  const store = await openEmbeddedStore({ folder })
  const told: string[] = []
  let left = 0
  const stop = followFlows(store, {
    appended(flow) {
      if (left-- > 0) throw new Error('not now')
      told.push(flow)
    },
    lost: () => told.push('lost'),
    kept: () => told.push('kept'),
  })
  const draw = (flow: string) => store.append(`flow-${flow}`, 0, [keyEvent('FlowEdited', {})])
  for (let n = 0; told.length === 0; n += 1) {
    await draw(`early ${n}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  // Followed live from here on: nothing else says that the log is caught up.
  await new Promise(resolve => setTimeout(resolve, 100))
  told.length = 0
  left = 1
  await draw('late')
  await vi.waitFor(() => expect(told).toEqual(['lost', 'late', 'kept']))
  await stop()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
