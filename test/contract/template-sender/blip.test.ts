import { expect } from 'vitest'
import { BLIP_TEMPLATES } from '#test/doubles/whatsapp/template-wires.ts'
import { ownFile, templateContract } from './contract.ts'

const text = (value: string) => ({ type: 'text', text: value })
const template = (...components: object[]) => ({
  id: expect.stringMatching(/^p1:[0-9a-f-]{36}\.0\.1$/u),
  to: '5511999990000@wa.gw.msging.net',
  type: 'application/json',
  content: {
    type: 'template',
    template: { name: 'boleto', language: { code: 'pt_BR', policy: 'deterministic' }, components },
  },
})
const body = (...values: string[]) => ({ type: 'body', parameters: values.map(text) })
const reply = (payload: string) => ({
  ...{ type: 'button', sub_type: 'quick_reply', index: '0' },
  parameters: [{ type: 'payload', payload }],
})
const link = (index: string, value: string) => ({ type: 'button', sub_type: 'url', index, parameters: [text(value)] })
const image = { type: 'header', parameters: [{ type: 'image', image: { link: ownFile } }] }

templateContract({
  wire: BLIP_TEMPLATES,
  settles: true,
  failure: '42',
  samples: [['text', 'blip', 'out-whatsapp-json']],
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
    [429, {}, 'completed', null],
    [401, {}, 'paused', 'http.401'],
    [400, { reason: { code: 21, description: 'x' } }, 'completed', 'blip.21'],
    [400, { reason: { code: 61, description: 'x' } }, 'paused', 'blip.61'],
    [500, {}, 'completed', '500'],
  ],
})
