import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import type { Answer, Client } from './harness.ts'

interface ChatBot {
  readonly bot: string
  readonly channel: string
  readonly dialog: string
}

const NAME = { varname: 'nome', data: { type: 'text', text: 'Seu nome?' } }

/** It asks for the name and the age, and says goodbye. */
export const NAME_AND_AGE = {
  format: 'parley-flow',
  version: 1,
  operators: {
    start: plainBlock('start', 0),
    name: plainBlock('prompt', 100, NAME),
    age: plainBlock('prompt', 200, { varname: 'idade', data: { type: 'number', text: 'Sua idade?' } }),
    bye: plainBlock('text', 300, { text: 'Até logo, {{nome}}' }),
  },
  links: { a: link('start', 'name'), b: link('name', 'age'), c: link('age', 'bye') },
}

/** It asks (for a name), greets, and asks again. */
const flowThat = (asks: object) => ({
  operators: {
    start: plainBlock('start', 0),
    name: plainBlock('prompt', 100, asks),
    hello: plainBlock('text', 200, { text: 'Oi, {{nome}}' }),
  },
  links: { a: link('start', 'name'), b: link('name', 'hello'), c: link('hello', 'name') },
})

const done = (answer: Answer): Answer => {
  if (answer.status >= 300) throw new Error(answer.text)
  return answer
}

/** A started bot with one dialog and a web chat. `asks`: properties of its question. */
export const makeChatBot = (admin: Client, fields: object = {}, asks: object = NAME): Promise<ChatBot> =>
  makeFlowBot(admin, fields, flowThat(asks))

/** A started bot with a web chat, and a dialog with this flow. */
export const makeFlowBot = async (admin: Client, fields: object, flow: object): Promise<ChatBot> => {
  const bot = done(await admin.post('/bot', { name: 'Bia', ...fields })).body.id
  const task = done(await admin.post('/dialogtask', { name: 'Cadastro', bot })).body.id
  const dialog = done(await admin.post('/dialog', { name: 'Nome', dialogtask: task })).body.id
  done(await admin.put(`/dialog/${dialog}/flow`, flow))
  done(await admin.post(`/dialog/${dialog}/publish`))
  done(await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1))
  done(await admin.patch(`/bot/${bot}`, { defaultdialogtask: task }, 1))
  const channel = done(await admin.post('/channel', { bot, type: 'webchat' })).body.id
  done(await admin.post(`/bot/${bot}/start`))
  return { bot, channel, dialog }
}
