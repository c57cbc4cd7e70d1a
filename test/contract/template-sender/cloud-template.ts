import type { TemplateContract } from './contract.ts'

const text = (value: string) => ({ type: 'text', text: value })
const body = (...values: string[]) => ({ type: 'body', parameters: values.map(text) })
const reply = (payload: string) => ({
  ...{ type: 'button', sub_type: 'quick_reply', index: '0' },
  parameters: [{ type: 'payload', payload }],
})
const link = (index: string, value: string) => ({ type: 'button', sub_type: 'url', index, parameters: [text(value)] })

const PLACE = { latitude: '-23.55052', longitude: '-46.63331', name: 'Loja Centro', address: 'Rua A, 1' }

/** Bodies of a provider that takes the template of Meta's Cloud API, within its own envelope. */
export const cloudTemplates = (envelope: (template: object) => object, image: object): TemplateContract['sent'] => {
  const template = (...components: object[]) =>
    envelope({ name: 'boleto', language: { code: 'pt_BR', policy: 'deterministic' }, components })
  const header = { type: 'header', parameters: [{ type: 'image', image }] }
  return {
    text: template(body('Ana', '12/05')),
    named: template({ type: 'body', parameters: [{ type: 'text', parameter_name: 'nome', text: 'Ana' }] }),
    image: template(header, body('Ana', '12/05')),
    place: template({ type: 'header', parameters: [{ type: 'location', location: PLACE }] }, body('Ana')),
    link: template(body('Ana'), reply('want-1'), link('1', 'docs')),
    reply: template(body('Ana'), reply('want-1')),
    code: template(body('123456'), link('0', '123456')),
    cards: template(body('Ana'), {
      type: 'carousel',
      cards: [
        { card_index: 0, components: [header, body('Ana'), reply('card-1')] },
        { card_index: 1, components: [header, body('Ana')] },
      ],
    }),
  }
}
