import { GUPSHUP_TEMPLATES } from '#test/doubles/whatsapp/template-wires.ts'
import { sample } from '../channel/contract.ts'
import { ownFile, templateContract } from './contract.ts'

const template = (params: readonly string[], more: object = {}) => ({
  ...{ channel: 'whatsapp', source: '5511900000000', destination: '5511999990000', 'src.name': 'DemoApp' },
  template: { id: 't-1', params },
  ...more,
})

templateContract({
  wire: GUPSHUP_TEMPLATES,
  settles: false,
  failure: '1002',
  samples: [['text', 'whatsapp-gupshup', 'out-template']],
  sent: {
    text: template(['Ana', '12/05']),
    place: 'templatelocation',
    named: template(['Ana']),
    image: template(['Ana', '12/05'], { message: { type: 'image', image: { link: ownFile } } }),
    // Payloads of replies are no parameters.
    link: template(['Ana', 'docs'], { postbackTexts: [{ index: 0, text: 'want-1' }] }),
    reply: template(['Ana'], { postbackTexts: [{ index: 0, text: 'want-1' }] }),
    code: template(['123456', '123456']),
    cards: template(['Ana', 'Ana', 'Ana'], {
      message: {
        type: 'carousel',
        cardHeaderType: 'IMAGE',
        cards: [{ link: ownFile, postbackTexts: [{ index: 0, text: 'card-1' }] }, { link: ownFile }],
      },
    }),
  },
  refusals: [
    [429, sample('whatsapp-gupshup', 'err-too-many'), 'completed', null],
    [400, { status: 'error', message: { code: 4001 } }, 'completed', null],
    [401, sample('whatsapp-gupshup', 'err-bad-apikey'), 'paused', 'http.401'],
    [400, { status: 'error', message: { code: 1003 } }, 'paused', '1003'],
    [400, { status: 'error', message: { code: 1012 } }, 'completed', '1012'],
    [400, { status: 'error', message: { code: 132001 } }, 'paused', '132001'],
    [200, { status: 'error', message: 'x' }, 'completed', 'gupshup.error'],
    [502, {}, 'completed', '502'],
  ],
})
