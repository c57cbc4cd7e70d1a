import { expect } from 'vitest'
import { THREESIXTY_TEMPLATES } from '#test/doubles/whatsapp/template-wires.ts'
import { sample } from '../channel/sample.ts'
import { templateContract } from './contract.ts'

const text = (value: string) => ({ type: 'text', text: value })
const template = (...components: object[]) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  type: 'template',
  template: { name: 'boleto', language: { code: 'pt_BR', policy: 'deterministic' }, components },
})
const body = (...values: string[]) => ({ type: 'body', parameters: values.map(text) })
const reply = (payload: string) => ({
  ...{ type: 'button', sub_type: 'quick_reply', index: '0' },
  parameters: [{ type: 'payload', payload }],
})
const image = { type: 'header', parameters: [{ type: 'image', image: { id: expectId() } }] }
const link = (index: string, value: string) => ({ type: 'button', sub_type: 'url', index, parameters: [text(value)] })

function expectId(): string {
  return expect.stringMatching(/^media-\d+$/u) as unknown as string
}

templateContract({
  wire: THREESIXTY_TEMPLATES,
  settles: true,
  failure: '131026',
  samples: [
    ['text', 'whatsapp-meta', 'out-message-template-text'],
    ['reply', 'whatsapp-meta', 'out-message-template-interactive'],
  ],
  extra: ['biz_opaque_callback_data', 'template.language.policy'],
  sent: {
    text: template(body('Ana', '12/05')),
    named: template({ type: 'body', parameters: [{ type: 'text', parameter_name: 'nome', text: 'Ana' }] }),
    image: template(image, body('Ana', '12/05')),
    link: template(body('Ana'), reply('want-1'), link('1', 'docs')),
    reply: template(body('Ana'), reply('want-1')),
    code: template(body('123456'), link('0', '123456')),
    cards: template(body('Ana'), {
      type: 'carousel',
      cards: [
        { card_index: 0, components: [image, body('Ana'), reply('card-1')] },
        { card_index: 1, components: [image, body('Ana')] },
      ],
    }),
  },
  refusals: [
    [400, sample('whatsapp-360dialog', 'err-rate'), 'completed', null],
    [401, sample('whatsapp-360dialog', 'err-401'), 'paused', 'http.401'],
    [400, { error: { code: 131026 } }, 'completed', '131026'],
    [400, { error: { code: 132015 } }, 'paused', '132015'],
    [500, {}, 'completed', '500'],
  ],
})
