import type { JsonObject } from '#schemas/event.ts'
import type { Language } from '#schemas/language.ts'

interface SimulatedNumberText {
  /** Name of the number, its account and its channel. */
  readonly name: string
  /** Fields of the first template. */
  readonly template: JsonObject
}

const template = (
  templateName: string,
  language: string,
  body: string,
  example: string,
  replies: readonly string[],
) => ({
  templateName,
  language,
  category: 'utility',
  templateType: 'TEXT',
  body,
  params: [{ name: '1', example }],
  buttons: replies.map(text => ({ type: 'QUICK_REPLY', text })),
})

const TEXTS: Readonly<Record<Language, SimulatedNumberText>> = {
  en: {
    name: 'Simulated number',
    template: template(
      'order_ready',
      'en',
      'Hi, {{1}}! Your order is ready to be picked up. Can we help you with anything else?',
      'Ana',
      ['I have a question', 'All good'],
    ),
  },
  pt: {
    name: 'Número simulado',
    template: template(
      'pedido_pronto',
      'pt_BR',
      'Oi, {{1}}! Seu pedido está pronto para retirada. Podemos ajudar em mais alguma coisa?',
      'Ana',
      ['Tenho uma dúvida', 'Está tudo certo'],
    ),
  },
  es: {
    name: 'Número simulado',
    template: template(
      'pedido_listo',
      'es',
      'Hola, {{1}}. Tu pedido está listo para retirar. ¿Podemos ayudarte con algo más?',
      'Ana',
      ['Tengo una duda', 'Todo bien'],
    ),
  },
}

export const simulatedNumberText = (language: Language): SimulatedNumberText => TEXTS[language]
