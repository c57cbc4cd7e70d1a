import { MENU_ACTIONS, SERVICES } from '#domain/people/permission.ts'
import { type IdOf, type SampleStep, sampleStep, type When } from '../plan.ts'

interface Level {
  readonly key: string
  readonly name: string
  readonly parent: string
}

export const LEVELS: readonly Level[] = [
  { key: 'aurora', name: 'Aurora Atendimento', parent: 'root' },
  { key: 'casalume', name: 'Rede Casa Lume', parent: 'aurora' },
  { key: 'loja-virtual', name: 'Casa Lume Loja Virtual', parent: 'casalume' },
  { key: 'lojas-fisicas', name: 'Casa Lume Lojas Físicas', parent: 'casalume' },
  { key: 'valeclaro', name: 'Prefeitura de Vale Claro', parent: 'aurora' },
  { key: 'saude', name: 'Secretaria de Saúde de Vale Claro', parent: 'valeclaro' },
  { key: 'ventania', name: 'Ventania Energia', parent: 'aurora' },
]

interface Role {
  readonly name: string
  readonly group: string
  readonly services: readonly string[]
  readonly actions: readonly string[]
}

const BUILT = [
  'bot',
  'dialogtask',
  'dialog',
  'handler',
  'version',
  'channel',
  'variable',
  'variableschema',
  'globalvariable',
  'botspecificlocalemessage',
  'entityvaluepair',
  'integration',
  'conversationsetting',
  'botadvancedsetting',
  'chatinterface',
  'theme',
  'usertip',
  'conversationtest',
]
const UNDERSTOOD = [
  'nluproject',
  'intent',
  'nluprojectentity',
  'synonym',
  'regex',
  'story',
  'intentgroup',
  'intentmapping',
]
const PEOPLE = ['user', 'usergroup', 'role', 'hierarchy']

/** Roles by key; each has a group of its holders. */
export const ROLES: Readonly<Record<string, Role>> = {
  construtor: {
    name: 'Construtor de bots',
    group: 'Construção',
    services: [...BUILT, ...UNDERSTOOD, 'localemessage', 'codesample'],
    actions: [
      ...['showdashboard', 'showbot', 'shownlu', 'showlocalemessage', 'showcodesample', 'readreleasenote'],
      ...['startbot', 'stopbot', 'restartbot', 'readconversation'],
    ],
  },
  operador: {
    name: 'Operador de campanhas',
    group: 'Campanhas',
    services: ['campaign', 'template', 'contact', 'campaignupload', 'localemessage', 'tinyurlmapping'],
    actions: [
      ...['showdashboard', 'showbot', 'showlocalemessage', 'readreleasenote', 'updatebot', 'startbot', 'stopbot'],
      ...['showreport', 'restartbot', 'readconversation', ...BUILT.map(name => `read${name}`)],
    ],
  },
  atendente: {
    name: 'Atendente',
    group: 'Atendimento',
    services: [],
    actions: [
      ...['showdashboard', 'showdesk', 'answerconversation', 'takeoverconversation', 'revealconversation'],
      ...['readbot', 'readreleasenote'],
    ],
  },
  auditor: {
    name: 'Auditor',
    group: 'Auditoria',
    services: [],
    actions: [
      ...['showdashboard', 'showbot', 'showadmin', 'showreport', 'readaudit', 'exportaudit', 'readreleasenote'],
      'readreport',
      ...[...BUILT, ...PEOPLE, 'localemessage', 'codesample'].map(name => `read${name}`),
    ],
  },
  administrador: {
    name: 'Administrador do nível',
    group: 'Administração',
    services: [...SERVICES],
    actions: [...MENU_ACTIONS],
  },
}

interface Person {
  readonly firstname: string
  readonly lastname: string
  readonly gender: string
  readonly role: string
  readonly level: string
}

/** People by key, which is their username. */
export const PEOPLE_OF_SAMPLE: Readonly<Record<string, Person>> = {
  'helena.prado': {
    firstname: 'Helena',
    lastname: 'Prado',
    gender: 'feminino',
    role: 'administrador',
    level: 'aurora',
  },
  'camila.rocha': { firstname: 'Camila', lastname: 'Rocha', gender: 'feminino', role: 'construtor', level: 'aurora' },
  'rafael.teixeira': {
    firstname: 'Rafael',
    lastname: 'Teixeira',
    gender: 'masculino',
    role: 'construtor',
    level: 'aurora',
  },
  'joana.siqueira': {
    firstname: 'Joana',
    lastname: 'Siqueira',
    gender: 'feminino',
    role: 'construtor',
    level: 'valeclaro',
  },
  'otavio.lemos': {
    firstname: 'Otávio',
    lastname: 'Lemos',
    gender: 'masculino',
    role: 'construtor',
    level: 'ventania',
  },
  'diego.amaral': { firstname: 'Diego', lastname: 'Amaral', gender: 'masculino', role: 'operador', level: 'casalume' },
  'beatriz.nogueira': {
    firstname: 'Beatriz',
    lastname: 'Nogueira',
    gender: 'feminino',
    role: 'auditor',
    level: 'aurora',
  },
  'marina.duarte': {
    firstname: 'Marina',
    lastname: 'Duarte',
    gender: 'feminino',
    role: 'atendente',
    level: 'casalume',
  },
  'paulo.ferraz': { firstname: 'Paulo', lastname: 'Ferraz', gender: 'masculino', role: 'atendente', level: 'casalume' },
  'taina.lopes': { firstname: 'Tainá', lastname: 'Lopes', gender: 'feminino', role: 'atendente', level: 'casalume' },
}

/** Agents at the desk of the shop. */
export const AGENTS = ['marina.duarte', 'paulo.ferraz', 'taina.lopes'] as const

const HEAD = 'helena.prado'
const BEGAN: When = [5, '08:02']

/** Start of work by person: sign-ins of each day, counted back. */
const MORNINGS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  'helena.prado': { 5: '08:15', 4: '08:31', 3: '09:02', 2: '08:40', 1: '08:37', 0: '08:34' },
  'camila.rocha': { 5: '09:05', 4: '08:52', 3: '09:10', 2: '08:58', 1: '09:01', 0: '09:04' },
  'rafael.teixeira': { 5: '09:31', 4: '09:44', 3: '09:28', 2: '10:05', 1: '09:36', 0: '09:41' },
  'joana.siqueira': { 5: '10:12', 4: '09:20', 3: '09:33', 2: '09:15', 1: '09:22', 0: '09:18' },
  'otavio.lemos': { 5: '13:20', 4: '09:57', 3: '10:08', 2: '13:04' },
  'diego.amaral': { 4: '10:30', 2: '15:12', 1: '10:44', 0: '10:41' },
  'beatriz.nogueira': { 3: '14:05', 1: '16:20', 0: '15:52' },
}

/** Levels, roles, groups, people, and what happened to their accounts. `passwordOf` makes one that nobody knows. */
export const people = (id: IdOf, passwordOf: () => string, passwordDateOf: (when: When) => string): SampleStep[] => [
  ...LEVELS.map(({ key, name, parent }) =>
    sampleStep(BEGAN, null, 'hierarchy', 'create', key, { name, parent: id('hierarchy', parent) }),
  ),
  ...Object.entries(ROLES).flatMap(([key, { name, group, services, actions }]) => [
    sampleStep(BEGAN, null, 'role', 'create', key, { name, services: [...services], actions: [...actions], ...at(id) }),
    sampleStep(BEGAN, null, 'usergroup', 'create', key, { name: group, roles: [id('role', key)], ...at(id) }),
  ]),
  ...Object.entries(PEOPLE_OF_SAMPLE).map(([key, { role, level, ...names }]) =>
    sampleStep(hiredWhen(key), key === HEAD ? null : HEAD, 'user', 'create', key, {
      ...names,
      username: key,
      email: `${key}@aurora.example`,
      language: 'pt',
      password: passwordOf(),
      usergroup: [id('usergroup', role)],
      ...at(id, level),
    }),
  ),
  ...Object.entries(MORNINGS).flatMap(([key, days]) =>
    Object.entries(days).map(([day, clock]) =>
      sampleStep([Number(day), clock], key, 'user', 'signin', key, {
        changed: passwordDateOf(hiredWhen(key)),
        step: null,
      }),
    ),
  ),
  sampleStep([3, '11:50'], HEAD, 'user', 'lock', 'diego.amaral'),
  sampleStep([2, '14:55'], HEAD, 'user', 'unlock', 'diego.amaral'),
  sampleStep([2, '15:40'], HEAD, 'user', 'change', 'diego.amaral', { email: 'diego@casalume.example' }),
  ...['07:51', '07:51', '07:52', '07:52', '07:54'].map((clock, index) =>
    sampleStep([1, clock], null, 'user', 'failsignin', 'otavio.lemos', { lock: index === 4 }),
  ),
]

/** Everyone at a minute of their own: a sign-in names the moment of the password. */
const hiredWhen = (key: string): When => [5, `08:${10 + Object.keys(PEOPLE_OF_SAMPLE).indexOf(key) * 4}`]
const at = (id: IdOf, level = 'aurora') => ({ hierarchylevel: id('hierarchy', level) })

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
