import { expect } from 'vitest'
import { INFOBIP_TEMPLATES } from '#test/doubles/whatsapp/template-wires.ts'
import { sample } from '../channel/contract.ts'
import { ownFile, templateContract } from './contract.ts'

const template = (templateData: object) => ({
  messages: [
    {
      ...{ from: '5511900000000', to: '5511999990000', messageId: expect.stringMatching(/^[0-9a-f]{32}$/u) },
      content: { templateName: 'boleto', language: 'pt_BR', templateData },
      callbackData: expect.stringMatching(/^p1:[0-9a-f-]{36}\.0\.1$/u),
      notifyUrl: 'https://bots.example.com/channel/c1',
    },
  ],
})
const body = (...placeholders: string[]) => ({ body: { placeholders } })
const header = { type: 'IMAGE', mediaUrl: ownFile }

templateContract({
  wire: INFOBIP_TEMPLATES,
  settles: true,
  samples: [
    ['text', 'whatsapp-infobip', 'out-send-body-template-message'],
    ['image', 'whatsapp-infobip', 'out-send-image-header-template-message'],
    ['place', 'whatsapp-infobip', 'out-send-location-header-template-message'],
    ['reply', 'whatsapp-infobip', 'out-quick-reply-button-template-message'],
    ['code', 'whatsapp-infobip', 'out-send-authentication-with-copy-code-button-template-message'],
  ],
  // The samples of these forms have bodies without variables.
  extra: ['messages[].content.templateData.body.placeholders[]'],
  failure: 'EC_INVALID_DESTINATION_ADDRESS',
  sent: {
    text: template(body('Ana', '12/05')),
    named: template(body('Ana')),
    image: template({ ...body('Ana', '12/05'), header }),
    place: template({ ...body('Ana'), header: { type: 'LOCATION', latitude: -23.55052, longitude: -46.63331 } }),
    link: template({
      ...body('Ana'),
      buttons: [
        { type: 'QUICK_REPLY', parameter: 'want-1' },
        { type: 'URL', parameter: 'docs' },
      ],
    }),
    reply: template({ ...body('Ana'), buttons: [{ type: 'QUICK_REPLY', parameter: 'want-1' }] }),
    // As in Infobip's sample of an authentication template: the code is a placeholder and the value of the button.
    code: template({ ...body('123456'), buttons: [{ type: 'URL', parameter: '123456' }] }),
    cards: template({
      ...body('Ana'),
      carousel: {
        cards: [
          { header, ...body('Ana'), buttons: [{ type: 'QUICK_REPLY', parameter: 'card-1' }] },
          // The label replaces a missing payload.
          { header, ...body('Ana'), buttons: [{ type: 'QUICK_REPLY', parameter: 'Quero' }] },
        ],
      },
    }),
  },
  refusals: [
    [429, sample('whatsapp-infobip', 'err-too-many-requests'), 'completed', null],
    [401, sample('whatsapp-infobip', 'err-unauthorized'), 'paused', 'UNAUTHORIZED'],
    [400, sample('whatsapp-infobip', 'err-bad-request'), 'completed', 'BAD_REQUEST'],
    [
      200,
      { messages: [{ messageId: 'm', status: { groupName: 'REJECTED', name: 'REJECTED_NOT_ENOUGH_CREDITS' } }] },
      'paused',
      'REJECTED_NOT_ENOUGH_CREDITS',
    ],
    [500, {}, 'completed', '500'],
  ],
})
