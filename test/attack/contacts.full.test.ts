import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { PERMISSIONS } from '#domain/people/permission.ts'
import { makeCampaign } from '#test/api/campaign.ts'
import { sendFile } from '#test/api/contact-file.ts'
import { type Client, discard, type ParleyProcess, startParley } from '#test/api/harness.ts'
import { level, person } from '#test/api/people.ts'
import { workbookOf } from '#test/fixture/workbook.ts'
import { livenessDuring } from './liveness.ts'

/** ms: longest wait for `/health/live`. */
const LIVE_MS = 500
/** Longest wait for the preview of a small file of another level, as a part of the time of all 8 large ones: 12 s at rest. */
const OTHER_PART = 1 / 3
const LONG = 300_000
const MB = 1_000_000

let parley: ParleyProcess
let admin: Client

beforeAll(async () => {
  parley = await startParley({ env: { WORK_PROCESSES: '1' } })
  admin = await parley.signIn()
}, LONG)
afterAll(() => discard(parley))

/** Ids of the children of a process; none of one that has ended. */
const childrenOf = (pid: number): readonly string[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  } catch {
    return []
  }
}

/** Bytes of resident memory of the gateway and its processes. */
const residentBytes = (): number => {
  const children = childrenOf(parley.pid)
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
    onTestFinished(() => clearInterval(watching))
    const started = performance.now()
    const previews = Promise.all(Array.from({ length: 8 }, () => sendFile(admin, path, many)))
    const live = livenessDuring(parley, previews)
    const others: number[] = []
    for (let count = 0; count < 3; count += 1) {
      const began = performance.now()
      const { status } = await sendFile(other.client, otherPath, 'phone\n11987654321\n')
      expect(status).toBe(200)
      others.push(performance.now() - began)
    }
    expect(await live).toBeLessThan(LIVE_MS)
    clearInterval(watching)
    expect(Math.max(...others)).toBeLessThan((performance.now() - started) * OTHER_PART)
    for (const { status, body } of await previews) {
      expect(status).toBe(200)
      expect(body.count).toBe(139_999)
    }
    expect(peak - before).toBeLessThan(700 * MB)
  },
  LONG,
)
