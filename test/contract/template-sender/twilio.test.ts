import { expect } from 'vitest'
import { TWILIO_TEMPLATES } from '#test/doubles/whatsapp/template-wires.ts'
import { sample } from '../channel/contract.ts'
import { ownFile, templateContract } from './contract.ts'

const template = (ContentVariables: object) => ({
  ...{ To: 'whatsapp:+5511999990000', From: 'whatsapp:+5511900000000', ContentSid: 't-1', ContentVariables },
  StatusCallback: expect.stringMatching(/^https:\/\/bots\.example\.com\/channel\/c1\?key=p1%3A[0-9a-f-]{36}\.0\.1$/u),
})
/** Numbers of a content: those of the body first, then the file, the link and the code. */
const link = [
  { type: 'QUICK_REPLY', text: 'Quero' },
  { type: 'URL', text: 'Ver', url: 'https://loja.example/{{4}}', example: null },
]

templateContract({
  wire: TWILIO_TEMPLATES,
  settles: true,
  failure: '63024',
  samples: [['text', 'whatsapp-twilio', 'out-content-template']],
  fields: {
    image: { provider_fields: [{ variable: 'header', name: '{{3}}' }] },
    link: { buttons: link },
    cards: {
      provider_fields: [
        { variable: 'card.1.header', name: '{{5}}' },
        { variable: 'card.2.header', name: '{{6}}' },
      ],
    },
  },
  sent: {
    text: template({ 1: 'Ana', 2: '12/05' }),
    place: 'templatelocation',
    named: template({ nome: 'Ana' }),
    image: template({ 1: 'Ana', 2: '12/05', 3: ownFile }),
    // By the name in the content, not by position; payloads of replies belong to the content.
    link: template({ 1: 'Ana', 4: 'docs' }),
    reply: template({ 1: 'Ana' }),
    code: template({ 1: '123456' }),
    cards: template({ 1: 'Ana', 5: ownFile, 6: ownFile }),
  },
  refusals: [
    [429, sample('whatsapp-twilio', 'err-20429-too-many-requests'), 'completed', null],
    [400, { code: 63018 }, 'completed', null],
    [401, sample('whatsapp-twilio', 'err-20003-authenticate'), 'paused', '20003'],
    [400, sample('whatsapp-twilio', 'err-21211-invalid-to'), 'completed', '21211'],
    [400, { code: 21610 }, 'completed', '21610'],
    [400, { code: 63041 }, 'paused', '63041'],
    [400, sample('whatsapp-twilio', 'err-63016-outside-window'), 'completed', '63016'],
    [503, {}, 'completed', '503'],
  ],
})
