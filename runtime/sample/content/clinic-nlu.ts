import type { Json, JsonObject } from '#schemas/event.ts'
import { type IdOf, type SampleStep, sampleStep, type When } from '../plan.ts'
import { personDeeds } from './bot.ts'
import { CLINIC_QUESTIONS, CLINIC_REQUESTS } from './clinic-questions.ts'

interface Lookup {
  readonly value: string
  readonly synonyms: readonly string[]
}

const value = (value: string, ...synonyms: readonly string[]): Lookup => ({ value, synonyms })

/** Kinds of values, and those that are known by name. The values of `especialidade` are options of the flow. */
const CLINIC_ENTITIES: Readonly<Record<string, readonly Lookup[]>> = {
  especialidade: [
    value('Clínica geral', 'clínico geral', 'clínico', 'médico', 'médica', 'clínica médica'),
    value('Pediatria', 'pediatra', 'médico de criança', 'médico infantil'),
    value('Ginecologia', 'ginecologista', 'gineco', 'pré-natal', 'obstetra'),
    value('Odontologia', 'dentista', 'odonto', 'dentistas'),
  ],
  unidade: [
    value('UBS Centro'),
    value('UBS Jardim das Flores', 'Jardim das Flores'),
    value('UBS Vila Nova', 'Vila Nova'),
    value('UBS Boa Vista', 'Boa Vista'),
  ],
  vacina: [
    value('Gripe', 'influenza'),
    value('Covid-19', 'covid', 'coronavírus'),
    value('Febre amarela'),
    value('HPV'),
    value('Sarampo', 'tríplice viral'),
    value('Tétano', 'antitetânica'),
    value('Dengue'),
  ],
  remedio: [
    value('Dipirona'),
    value('Losartana'),
    value('Insulina'),
    value('Amoxicilina'),
    value('Metformina'),
    value('Ibuprofeno'),
  ],
}

/** Answers to questions without a dialog; of several texts one is sent. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  resultado_exame: ['Resultados ficam em saude.valeclaro.example, com o código da coleta.'],
  urgencia: ['Em caso de urgência, ligue 192 (SAMU) ou vá direto à UPA Central, aberta 24 horas. 🚑'],
  vacina: [
    'Vacina não precisa de hora marcada: a sala abre de segunda a sexta, das 8h às 16h30. Traga a caderneta. 💉',
  ],
  horario_funcionamento: [
    'As unidades abrem de segunda a sexta, das 7h às 17h. Feriados e fins de semana, só a UPA Central.',
  ],
  endereco_unidade: ['Os endereços das doze unidades estão em saude.valeclaro.example/unidades, com mapa e ônibus.'],
  documentos: ['Traga um documento com foto, o Cartão SUS e, na primeira vez, um comprovante de endereço.'],
  cartao_sus: ['O Cartão SUS é feito na recepção da sua unidade, na hora, com CPF e documento com foto.'],
  remedios: ['A farmácia da unidade entrega remédios com receita do SUS, das 7h30 às 16h30.'],
  lista_espera: ['Quem está na lista é avisado por aqui assim que surge uma vaga.'],
  falar_atendente: ['O atendimento por telefone é no 156, de segunda a sexta, das 7h às 19h.'],
  saudacao: ['Oi! Que bom falar com você.', 'Olá! Estou aqui para ajudar.'],
  agradecimento: ['Por nada! 💙', 'Eu que agradeço. Conte comigo!'],
}

const WHEN: When = [2, '13:40']
const HEAD = 'helena.prado'
const BUILDER = 'joana.siqueira'
/** Percent. */
const INTENT_CONFIDENCE = 40

const INTENTS = [...CLINIC_REQUESTS, ...CLINIC_QUESTIONS]
const GROWTHS: readonly When[] = [
  [1, '11:40'],
  [0, '16:20'],
]
/** After the beginning, and after each growth. */
export const CLINIC_TRAININGS: readonly { readonly when: When; readonly by: string }[] = [
  { when: [2, '16:30'], by: HEAD },
  { when: [1, '12:10'], by: BUILDER },
  { when: [0, '16:40'], by: BUILDER },
]

const firstLines = (statements: readonly string[]): readonly string[] =>
  statements.slice(0, Math.ceil(statements.length * 0.6))
const linesOf = (statements: readonly string[]): Json => statements.map(text => ({ text }))

const project = (id: IdOf): SampleStep[] => {
  const nluproject = id('nluproject', 'saude')
  const make = (entity: string, name: string, input: JsonObject) =>
    sampleStep(WHEN, HEAD, entity, 'create', `saude/${name}`, { nluproject, ...input })
  return [
    sampleStep(WHEN, HEAD, 'nluproject', 'create', 'saude', {
      name: 'Atendimento da Saúde',
      description: 'O que as pessoas pedem à Clara, nas palavras delas.',
      locale: 'pt',
      hierarchylevel: id('hierarchy', 'valeclaro'),
    }),
    ...Object.entries(CLINIC_ENTITIES).map(([name, values]) =>
      make('nluprojectentity', name, {
        name,
        type: 'lookup',
        lookup_data: values.map(({ value, synonyms }) => ({ value, synonyms: [...synonyms] })),
      }),
    ),
    ...INTENTS.map(({ name, description = '', statements }) =>
      make('intent', name, { name, description, statements: linesOf(firstLines(statements)) }),
    ),
    // Lines from conversations were added: to half of the intents first, then to the others.
    ...GROWTHS.flatMap((when, round) =>
      INTENTS.filter((_, place) => place % GROWTHS.length === round).map(({ name, statements }) =>
        sampleStep(when, BUILDER, 'intent', 'change', `saude/${name}`, { statements: linesOf(statements) }),
      ),
    ),
  ]
}

const mappings = (id: IdOf): SampleStep[] => {
  const bot = id('bot', 'saude')
  const make = (entity: string, key: string, input: Readonly<Record<string, Json>>) =>
    sampleStep(WHEN, BUILDER, entity, 'create', `saude/${key}`, { bot, ...input })
  const calls = (key: string, name: string, task: string, input: JsonObject) =>
    make('intentmapping', key, { name, action: 'calltask', target_task: id('dialogtask', task), ...input })
  return [
    make('intentgroup', 'mudar', { name: 'Mudar uma consulta', intents: ['remarcar_consulta', 'cancelar_consulta'] }),
    calls('marcar', 'Marcar consulta', 'saude/agendamento', { type: 'intent', intent: 'marcar_consulta' }),
    calls('mudar', 'Remarcar ou cancelar', 'saude/remarcacao', {
      type: 'intentgroup',
      intentgroup: id('intentgroup', 'saude/mudar'),
    }),
    // During a booking, the person is looking for the number.
    make('intentmapping', 'cartao_sus/marcar', {
      name: 'Cartão SUS ao marcar',
      type: 'intent',
      intent: 'cartao_sus',
      level: 'dialog',
      dialog: id('dialog', 'saude/marcar'),
      action: 'randomresponses',
      responses: ['O número do Cartão SUS tem 15 dígitos e fica na frente do cartão. Sem ele, use o seu CPF.'],
    }),
    ...Object.entries(ANSWERS).map(([intent, responses]) =>
      make('intentmapping', intent, {
        name: intent,
        type: 'intent',
        intent,
        action: 'randomresponses',
        responses: [...responses],
      }),
    ),
  ]
}

/** NLU of the health department's bot, and its mappings. */
export const clinicNlu = (id: IdOf): readonly SampleStep[] => [
  ...project(id),
  ...mappings(id),
  ...personDeeds(id, {
    key: 'saude',
    by: BUILDER,
    when: WHEN,
    answers: {
      en: 'You can talk to a person by phone: call 156, Monday to Friday, 7 am to 7 pm.',
      es: 'Puede hablar con una persona por teléfono: llame al 156, de lunes a viernes, de 7 a 19 h.',
    },
  }),
  sampleStep(WHEN, BUILDER, 'bot', 'change', 'saude', {
    nluenabled: true,
    nluproject: id('nluproject', 'saude'),
    intentconfidence: INTENT_CONFIDENCE,
  }),
]
