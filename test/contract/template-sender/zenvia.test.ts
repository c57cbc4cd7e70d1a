import { ZENVIA_TEMPLATES } from '#test/doubles/whatsapp/template-wires.ts'
import { sample } from '../channel/contract.ts'
import { templateContract } from './contract.ts'

const template = (fields: object) => ({
  ...{ from: 'sender', to: '5511999990000' },
  contents: [{ type: 'template', templateId: 't-1', fields }],
})
const names = [
  { variable: '1', name: 'name' },
  { variable: '2', name: 'due' },
]

templateContract({
  wire: ZENVIA_TEMPLATES,
  settles: false,
  failure: '131026',
  samples: [['named', 'whatsapp-zenvia', 'out-template']],
  // Fields have the names that the template gives them.
  extra: ['externalId', 'contents[].fields.nome'],
  fields: {
    text: { provider_fields: names },
    image: { provider_fields: names },
    // The payload of a reply is a value of a button.
    link: { provider_fields: names },
    cards: { provider_fields: names },
  },
  sent: {
    text: template({ name: 'Ana', due: '12/05' }),
    place: 'templatelocation',
    named: template({ nome: 'Ana' }),
    image: 'templateheader',
    link: 'templatebuttons',
    // Its values have names at Zenvia, which this template does not tell.
    reply: 'templatefields',
    code: 'templatebuttons',
    cards: 'templatecards',
  },
  refusals: [
    [429, {}, 'completed', null],
    [401, sample('whatsapp-zenvia', 'err-authentication'), 'paused', 'AUTHENTICATION_ERROR'],
    [400, sample('whatsapp-zenvia', 'err-validation'), 'completed', 'VALIDATION_ERROR'],
    [404, { code: 'NOT_FOUND' }, 'paused', 'NOT_FOUND'],
    [500, { code: 'INTERNAL_ERROR' }, 'completed', '500'],
  ],
})
