import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PERMISSIONS } from '#domain/people/permission.ts'
import { makeCampaign } from '#test/api/campaign.ts'
import { sendFile } from '#test/api/contact-file.ts'
import { type Client, discard, type ParleyProcess, startParley } from '#test/api/harness.ts'
import { level, person } from '#test/api/people.ts'
import { workbookOf } from '#test/fixture/workbook.ts'
import { livenessDuring } from './liveness.ts'

/** ms: longest wait for `/health/live`. */
const LIVE_MS = 500
/** ms: longest wait for the preview of a small file of another level. All 8 large ones take some 12 s. */
const OTHER_MS = 4_000
const LONG = 300_000
const MB = 1_000_000

let parley: ParleyProcess
let admin: Client

beforeAll(async () => {
  parley = await startParley({ env: { WORK_PROCESSES: '1' } })
  admin = await parley.signIn()
}, LONG)
afterAll(() => discard(parley))

/** Bytes of resident memory of the gateway and its processes. */
const residentBytes = (): number => {
  const children = readFileSync(`/proc/${parley.pid}/task/${parley.pid}/children`, 'utf8').trim().split(' ')
  return [parley.pid, ...children].reduce((sum: number, pid) => {
    try {
      return sum + Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * 4096
    } catch {
      return sum
    }
  }, 0)
}

test.runIf(process.platform === 'linux')(
  'bounds the memory of 8 previews of large workbooks, and previews files for others meanwhile [P-1673]',
  async () => {
    const campaign = await makeCampaign(admin, 'pasta')
    const path = `/campaign/${campaign}/contacts/preview`
    const home = await level(admin, 'Vizinha')
    const other = await person(parley, admin, { username: 'vizinha', level: home, actions: [...PERMISSIONS] })
    const otherPath = `/campaign/${await makeCampaign(other.client, 'vizinha')}/contacts/preview`
    const row = (_: unknown, n: number) => `<row r="${n + 1}"><c r="A${n + 1}"><v>1</v></c></row>`
    const rows = Array.from({ length: 140_000 }, row).join('')
    const many = workbookOf(`<worksheet><sheetData>${rows}</sheetData></worksheet>`)
    expect(many.length).toBeLessThan(MB)
    const before = residentBytes()
    let peak = 0
    const watching = setInterval(() => {
      peak = Math.max(peak, residentBytes())
    }, 50)
    const previews = Promise.all(Array.from({ length: 8 }, () => sendFile(admin, path, many)))
    const live = livenessDuring(parley, previews)
    for (let count = 0; count < 3; count += 1) {
      const began = performance.now()
      const { status } = await sendFile(other.client, otherPath, 'phone\n11987654321\n')
      expect(status).toBe(200)
      expect(performance.now() - began).toBeLessThan(OTHER_MS)
    }
    expect(await live).toBeLessThan(LIVE_MS)
    clearInterval(watching)
    for (const { status, body } of await previews) {
      expect(status).toBe(200)
      expect(body.count).toBe(139_999)
    }
    expect(peak - before).toBeLessThan(700 * MB)
  },
  LONG,
)
