import type { OpenedContact } from '#runtime/campaign/audience/audience.ts'
import { ADAPTERS } from '#runtime/channel/adapters.ts'
import type { ProviderChannel } from '#runtime/channel/open-channels.ts'
import { openValues } from '#runtime/channel/shared/provider-call.ts'
import { createCall } from '#runtime/outbound/call.ts'
import { ExpiringValues } from '#runtime/outbound/expiring-values.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { openCampaignWorld } from '#test/campaign/campaign-world.ts'
import type { TemplateWire } from '#test/doubles/whatsapp/template-wires.ts'

export const CHANNEL = 'c1'
export const WEBHOOK = 'https://bots.example.com/channel/c1'

/** The channel of a provider at an address of a double. */
export const channelAt = async ({ type, fields }: TemplateWire, url: string): Promise<ProviderChannel> => ({
  ...{ id: CHANNEL, bot: 'b1', level: null, type, isEnabled: true },
  fields: { ...fields, type, url, webhook: WEBHOOK },
  adapter: await ADAPTERS[type]?.(),
  values: openValues(
    {
      call: createCall({ allowPrivate: true }),
      values: new ExpiringValues(100),
      evaluator: { evaluate: () => Promise.reject(new Error('nothing is evaluated')), close: () => undefined } as never,
    },
    CHANNEL,
  ),
})

export const PERSON = { phone: '+5511999990000', nome: 'Ana', fields: { field01: '12/05' } }

/** Values of every variable that a template of the suite has. */
const MAPPING: readonly JsonObject[] = [
  { variable: '1', source: 'nome' },
  { variable: '2', source: 'field01' },
  { variable: 'nome', source: 'nome' },
  { variable: 'header', source: 'text', text: '' },
  { variable: 'header.latitude', source: 'text', text: '-23,55052' },
  { variable: 'header.longitude', source: 'text', text: '-46.63331' },
  { variable: 'header.name', source: 'text', text: 'Loja Centro' },
  { variable: 'header.address', source: 'text', text: 'Rua A, 1' },
  { variable: 'code', source: 'text', text: '123456' },
  { variable: 'button.1', source: 'text', text: 'want-1' },
  { variable: 'button.2', source: 'text', text: 'docs' },
  { variable: 'card.1.button.1', source: 'text', text: 'card-1' },
  { variable: 'card.1.body.1', source: 'nome' },
  { variable: 'card.2.body.1', source: 'nome' },
]

interface Given {
  readonly template: Readonly<Record<string, Json>>
  readonly people?: readonly OpenedContact[]
  readonly folder?: string
  readonly campaign?: Readonly<Record<string, Json>>
  readonly run?: string
}

/** A campaign that is sent from a channel of a provider. */
export const openTemplateCampaign = async (wire: TemplateWire, url: string, given: Given) => {
  const channel = await channelAt(wire, url)
  const { template, people = [PERSON], campaign, ...more } = given
  const world = await openCampaignWorld({
    ...more,
    graphUrl: url,
    people,
    campaign: { metaaccount: null, channel: CHANNEL, mapping: [...MAPPING], ...campaign },
    channel: () => channel,
  })
  world.fields.channel = { ...wire.fields, type: wire.type, enable: true, url }
  world.fields.template = { metaaccount: null, channel: CHANNEL, provider: wire.type, status: 'APPROVED', ...template }
  return { ...world, channel }
}
