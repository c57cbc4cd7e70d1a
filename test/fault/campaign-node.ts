import { openCampaignWorld, phoneAt } from '../campaign/campaign-world.ts'
import { openTemplateCampaign } from '../contract/template-sender/template-world.ts'
import { TEMPLATE_WIRES } from '../doubles/whatsapp/template-wires.ts'

/**
 * A node that sends one run until it is killed: `node campaign-node.ts <server> <folder> <people> <run> <status>
 * <provider>`; without a provider it sends from an account of Meta. It prints the end of the run. Test code only.
 */
const [graphUrl = '', folder = '', count = '0', run = '', status = 'planned', provider = ''] = process.argv.slice(2)
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
process.stdout.write('sending\n')
await world.drive()
process.stdout.write(`${String(world.fields.campaign?.run_status)} ${JSON.stringify(world.figures())}\n`)
await world.close()
