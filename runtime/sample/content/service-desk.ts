import { type IdOf, type SampleStep, sampleStep } from '../plan.ts'
import { AGENTS } from './people.ts'

const HEAD = 'helena.prado'

/** Shortcut and text of the canned answers of the shop. */
const ANSWERS: readonly (readonly [shortcut: string, text: string])[] = [
  ['oi', 'Oi, {person.name}! Aqui é {agent.name}, da Casa Lume. Já li a sua conversa. 💛'],
  ['momento', 'Vou verificar isso no sistema. Um momento, por favor.'],
  ['prazo', 'Seu pedido está com a transportadora. A nova previsão de entrega é de até 3 dias úteis.'],
  ['troca', 'A troca é gratuita em até 30 dias. Mando agora o código de postagem; é só levar a caixa aos Correios.'],
  ['reembolso', 'O reembolso cai em até 5 dias úteis na forma de pagamento que você escolheu.'],
  ['foto', 'Pode me enviar uma foto do produto e da embalagem, por favor?'],
  ['tchau', 'Posso ajudar em mais alguma coisa? Se não, desejo um ótimo dia!'],
]

const CLOSE_REASONS = [
  { key: 'resolvido', name: 'Resolvido' },
  { key: 'troca', name: 'Troca ou devolução combinada' },
  { key: 'sem-resposta', name: 'A pessoa não respondeu' },
]

/** The desk of the furniture shop: its queue, who answers in it, and what they answer often. */
export const serviceDesk = (id: IdOf): SampleStep[] => {
  const hierarchylevel = id('hierarchy', 'casalume')
  return [
    sampleStep([3, '16:40'], HEAD, 'deskqueue', 'create', 'sac', {
      // The name that the flow of the shop gives.
      name: 'SAC',
      hierarchylevel,
      members: AGENTS.map((key, place) => ({ user: id('user', key), priority: place === 0 ? 1 : 2 })),
      close_reasons: CLOSE_REASONS,
      priority_rules: [{ field: 'prioridade', equals: 'alta', priority: 2 }],
      goal_first: 120,
      csat: '5',
    }),
    sampleStep([3, '16:46'], HEAD, 'agentchannel', 'create', 'varejo/atendimento', {
      bot: id('bot', 'varejo'),
      type: 'parley',
      name: 'Atendimento da Casa Lume',
    }),
    ...ANSWERS.map(([shortcut, text], place) =>
      sampleStep([2, `10:${10 + place}`], HEAD, 'cannedanswer', 'create', `varejo/${shortcut}`, {
        shortcut,
        text,
        locale: 'pt',
        hierarchylevel,
      }),
    ),
  ]
}
