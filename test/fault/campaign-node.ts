import { createInterface } from 'node:readline'
import { TokenBucket } from '#runtime/campaign/run/send-rate.ts'
import { openCampaignWorld, phoneAt } from '../campaign/campaign-world.ts'
import { openTemplateCampaign } from '../contract/template-sender/template-world.ts'
import { TEMPLATE_WIRES } from '../doubles/whatsapp/template-wires.ts'

/**
 * A node that sends one run until it is killed: `node campaign-node.ts <server> <folder> <people> <run> <status>
 * <provider> <hook>`; without a provider it sends from an account of Meta. With `hook` it reads receipts from standard
 * input, a line for each call, and ends with it. With PARLEY_UNPACED its number has no limit. It prints the end of the
 * run. Test code only.
 */
const [graphUrl = '', folder = '', count = '0', run = '', status = 'planned', provider = '', hook = ''] =
  process.argv.slice(2)
/** Sends as fast as it can. */
class UnpacedBucket extends TokenBucket {
  override take(wanted: number): number {
    return wanted
  }
}

const HEAD = {
  ...{ templateName: 'aviso', language: 'pt_BR', category: 'utility', templateType: 'TEXT' },
  ...{ provider_id: 't-1', body: 'Oi, {{1}}!' },
}
const people = Array.from({ length: Number(count) }, (_, at) => ({ phone: phoneAt(at), nome: 'Ana', fields: {} }))
const began = { run, run_kind: 'all', run_of: null, run_status: status }
const campaign = { ...began, rate: 1000 }
const wire = TEMPLATE_WIRES.find(({ type }) => type === provider)
const text = { ...HEAD, provider_fields: [{ variable: '1', name: 'nome' }] }
const world =
  wire === undefined
    ? await openCampaignWorld({ graphUrl, folder, people, run, campaign })
    : await openTemplateCampaign(wire, graphUrl, { template: text, folder, people, run, campaign })
if (process.env.PARLEY_UNPACED !== undefined)
  Object.assign(world.parts, { bucketOf: () => new UnpacedBucket(Date.now()) })
process.stdout.write('sending\n')
const hooked = async () => {
  if (hook === '') return
  for await (const line of createInterface({ input: process.stdin })) {
    const heard = (JSON.parse(line) as [string, string][]).map(([id, callback]) => ({
      route: { family: 'whatsapp_meta', to: '', account: 'a1' },
      event: { kind: 'receipt', id, state: 'delivered', time: 1, callback, to: '' },
    }))
    await world.receipts.hearReceipts(heard as never)
    process.stdout.write('stored\n')
  }
}
const hooking = hooked()
await world.drive()
if (hook !== '') process.stdout.write('ended\n')
await hooking
process.stdout.write(`${String(world.fields.campaign?.run_status)} ${JSON.stringify(world.figures())}\n`)
await world.close()
