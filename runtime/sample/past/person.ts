import { CLINIC_QUESTIONS, CLINIC_REQUESTS } from '../content/clinic-questions.ts'
import type { Chance } from './chance.ts'

/** Messages of the bot that ask, as a chat shows them. */
export interface Question {
  readonly id: string
  readonly text: string
  /** Kind of the answer; empty: the bot waits for nothing. */
  readonly kind: string
  readonly actions: readonly { readonly id: string; readonly title: string; readonly value: string }[]
}

/** Reaction to a question. `leave`: the person never answers. */
type Reaction =
  | { readonly do: 'leave' }
  | { readonly do: 'press'; readonly action: string; readonly after: number }
  | { readonly do: 'write'; readonly text: string; readonly after: number }

const S = 1000

/** Questions that more people leave, by their words. */
const HARD: readonly (readonly [words: RegExp, share: number])[] = [
  [/CPF|Cartão SUS/u, 0.16],
  [/n[úu]mero da (?:<b>)?instalação/u, 0.11],
  [/chave Pix/u, 0.2],
  [/Conte em uma frase/u, 0.05],
  [/podia ter feito melhor/u, 0.35],
]
const USUALLY_LEFT = 0.035
/** Share of answers in own words where buttons are offered. */
const OWN_WORDS = 0.05

/** Options that more people choose; 1 for the others. */
const LIKED: Readonly<Record<string, number>> = {
  'Marcar consulta': 9,
  'Remarcar ou cancelar': 4,
  'Resultado de exame': 3,
  'Clínica geral': 5,
  Pediatria: 3,
  Confirmar: 9,
  Sim: 3,
  '📦 Rastrear pedido': 11,
  '🔁 Trocas e devoluções': 4,
  '💳 Pagamento': 4,
  '💬 Falar com a gente': 3,
  'Vou esperar': 4,
  'Tudo certo': 4,
  'Não, obrigado': 6,
  Pix: 5,
  'Na rua toda': 2,
}

/** Scores of a rating, and how many give each. */
const SCORES: Readonly<Record<string, number>> = { 10: 9, 9: 8, 8: 5, 7: 3, 6: 2, 5: 14, 4: 8, 3: 3, 2: 1, 1: 1, 0: 1 }
/** Number of actions of a rating with stars. */
const STARS = 5

const digits = (chance: Chance, count: number): number[] => Array.from({ length: count }, () => chance.whole(0, 9))

const cpf = (chance: Chance): string => {
  const all = digits(chance, 9)
  for (const length of [9, 10]) {
    const sum = all.slice(0, length).reduce((total, digit, place) => total + digit * (length + 1 - place), 0)
    all.push(((sum * 10) % 11) % 10)
  }
  return all.join('')
}

/** Nine digits; the last one checks the others, as the handler of the power company's bot does. */
const installation = (chance: Chance): string => {
  const all = [chance.whole(1, 9), ...digits(chance, 7)]
  const sum = all.reduce((total, digit, place) => total + digit * (9 - place), 0)
  return [...all, ((sum * 10) % 11) % 10].join('')
}

const CASES = [
  'A luminária chegou com o vidro trincado',
  'Meu pedido está atrasado faz uma semana',
  'Comprei o sofá errado e quero trocar a cor',
  'A transportadora diz que entregou, mas não recebi nada',
  'Fui cobrado duas vezes no cartão',
  'O tapete é menor do que eu esperava',
  'Preciso da nota fiscal no nome da empresa',
  'Falta uma peça na estante',
]
const COMPLAINTS = [
  'Demorou muito',
  'Tive que repetir tudo ao atendente',
  'O produto veio com defeito',
  'Preço do frete',
]
const ODD = [
  'não sei',
  'quero falar com uma pessoa',
  'isso não ajuda',
  'oi?',
  'quanto custa o frete?',
  'vocês abrem domingo?',
]

const EXAMPLES = [...CLINIC_REQUESTS, ...CLINIC_QUESTIONS].flatMap(({ statements }) => statements)

/** Wishes that the bot of the health department does not know. */
const UNKNOWN = ['quero pagar o IPTU', 'a lâmpada da minha rua queimou', 'qual a nota do ENEM?', 'tem vaga na creche?']
const UNKNOWN_SHARE = 0.2

/** A line of the training data as a person writes it, or a wish that the bot does not know. */
export const ownWords = (chance: Chance): string =>
  chance.of(chance.is(UNKNOWN_SHARE) ? UNKNOWN : EXAMPLES).replaceAll(/\[([^[\]]+)\]\([^()]+\)/gu, '$1')

/** Texts by the words of their question. */
const TEXTS: readonly (readonly [words: RegExp, text: (chance: Chance) => string])[] = [
  [/CPF|Cartão SUS/u, chance => (chance.is(0.08) ? '12345' : cpf(chance))],
  [/instalação/u, chance => (chance.is(0.07) ? '12345' : installation(chance))],
  [/código da consulta/u, chance => `VC${chance.whole(4101, 4890)}`],
  [/pedido/u, chance => (chance.is(0.06) ? `PED${chance.whole(100, 999)}` : `CL${chance.whole(204_100, 209_899)}`)],
  [/CEP/u, chance => `0${chance.whole(1000, 5999)}${chance.whole(100, 899)}`],
  [/De 0 a 10/u, chance => chance.weighted(Object.keys(SCORES), score => SCORES[score] ?? 1) ?? '9'],
  [/podia ter feito melhor/u, chance => chance.of(COMPLAINTS)],
  [/Conte em uma frase|recado/u, chance => chance.of(CASES)],
  [/chave Pix/u, chance => `cliente${chance.whole(10, 99)}@exemplo.example`],
  [/e-mail/u, chance => `cliente${chance.whole(10, 99)}@exemplo.example`],
  [/telefone/u, chance => `1198${chance.whole(1_000_000, 9_999_999)}`],
]

const write = (chance: Chance, text: string): Reaction => ({ do: 'write', text, after: chance.around(14 * S) })

/** Chooses the reaction of a person to a question. `wish`: words of the option that the person wants. */
export const reactionTo = ({ text, kind, actions }: Question, chance: Chance, wish: string): Reaction => {
  const wished = wish === '' ? undefined : actions.find(({ title }) => title.includes(wish))
  if (wished !== undefined) return { do: 'press', action: wished.id, after: chance.around(6 * S) }
  const hard = HARD.find(([words]) => words.test(text))?.[1] ?? USUALLY_LEFT
  if (kind !== 'rating' && chance.is(hard)) return { do: 'leave' }
  if (kind === 'rating') {
    if (chance.is(0.3)) return { do: 'leave' }
    const weightOf = ({ value }: Question['actions'][number]) =>
      (SCORES[value] ?? 1) * (actions.length === STARS && value === '5' ? 2 : 1)
    const action = chance.weighted(actions, weightOf)
    return action === undefined ? { do: 'leave' } : { do: 'press', action: action.id, after: chance.around(8 * S) }
  }
  if (kind === 'comment') return chance.is(0.5) ? write(chance, chance.of(COMPLAINTS)) : { do: 'leave' }
  if (actions.length === 0)
    return write(chance, TEXTS.find(([words]) => words.test(text))?.[1](chance) ?? chance.of(ODD))
  if (chance.is(OWN_WORDS)) return write(chance, chance.of(ODD))
  const action = chance.weighted(actions, ({ title }) => LIKED[title] ?? 1)
  return { do: 'press', action: action?.id ?? '', after: chance.around(6 * S) }
}

/** Words of an agent at the desk and of the person, in turn. */
export const DESK_TALKS: readonly (readonly string[])[] = [
  [
    'Oi! Aqui é da equipe da Casa Lume. Já li o seu caso, um instante que eu confiro.',
    'Obrigada, fico no aguardo',
    'Encontrei: a transportadora marcou a entrega para amanhã, até as 18h. Posso avisar por aqui quando sair?',
    'Pode sim, obrigada!',
    'Combinado! Qualquer coisa é só chamar.',
  ],
  [
    'Olá! Sinto muito pelo transtorno. Pode me enviar uma foto do produto e da embalagem, por favor?',
    'Não estou em casa agora, mas o vidro veio trincado',
    'Sem problema. Já deixei a troca aprovada: é só levar a caixa aos Correios com o código que vai por e-mail.',
    'Perfeito, muito obrigado',
  ],
  [
    'Oi, tudo bem? Vi aqui as duas cobranças.',
    'Isso, veio duas vezes na fatura',
    'A segunda já foi estornada hoje. Cai em até 5 dias úteis na sua fatura.',
  ],
  [
    'Bom dia! Para a nota em nome da empresa, me passa o CNPJ, por favor?',
    '11.222.333/0001-81',
    'Nota emitida de novo. Enviei o PDF para o seu e-mail. Ajudo em algo mais?',
    'Era só isso',
  ],
]
