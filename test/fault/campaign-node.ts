import { openCampaignWorld, phoneAt } from '../campaign/campaign-world.ts'

/**
 * A node that sends one run until it is killed: `node campaign-node.ts <graph> <folder> <people> <run> <status>`. It
 * tells the end of the run on its standard output. Test code only.
 */
const [graphUrl = '', folder = '', count = '0', run = '', status = 'planned'] = process.argv.slice(2)
const people = Array.from({ length: Number(count) }, (_, at) => ({ phone: phoneAt(at), nome: 'Ana', fields: {} }))
const began = { run, run_kind: 'all', run_of: null, run_status: status }
const world = await openCampaignWorld({ graphUrl, folder, people, run, campaign: { ...began, rate: 1000 } })
process.stdout.write('sending\n')
await world.drive()
process.stdout.write(`${String(world.fields.campaign?.run_status)} ${JSON.stringify(world.figures())}\n`)
await world.close()
