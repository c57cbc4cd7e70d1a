import { type IdOf, type SampleStep, sampleStep } from '../plan.ts'

const MASK_CPF = `/** 12345678909 → 123.456.789-09 */
function mascararCpf(cpf) {
  const numeros = String(cpf).replace(/\\D/g, '').padStart(11, '0')
  return numeros.replace(/(\\d{3})(\\d{3})(\\d{3})(\\d{2})/, '$1.$2.$3-$4')
}`

const GREETING = `/** Bom dia, boa tarde ou boa noite, no horário de Brasília. */
function saudacao(agora = new Date()) {
  const hora = Number(new Intl.DateTimeFormat('pt-BR', { hour: 'numeric', hour12: false, timeZone: 'America/Sao_Paulo' }).format(agora))
  if (hora < 12) return 'Bom dia'
  return hora < 18 ? 'Boa tarde' : 'Boa noite'
}`

const MESSAGES: readonly (readonly [code: string, pt: string, en: string])[] = [
  [
    'geral.nao_entendi',
    'Desculpe, não entendi. Pode escrever de outro jeito?',
    'Sorry, I did not get that. Could you rephrase?',
  ],
  ['geral.aguarde', 'Só um instante, por favor…', 'One moment, please…'],
  ['geral.encerrar', 'Conversa encerrada por falta de resposta.', 'Conversation closed: there was no answer.'],
  ['atendimento.fila', 'Você é o próximo da fila.', 'You are next in line.'],
]

/** Shared by all bots: the release note, code samples, words, and the key of the integration. */
export const common = (id: IdOf): SampleStep[] => [
  sampleStep([5, '08:45'], 'helena.prado', 'releasenote', 'create', '1.0.0', {
    name: 'Primeira versão',
    major: 1,
    minor: 0,
    patch: 0,
    improvement: [
      'Desenhe um fluxo junto com a sua equipe e veja cada mudança na hora',
      'Volte a qualquer momento de um fluxo e restaure só o que precisar',
      'Versões de um bot com prévia do que muda antes de aplicar',
      'Busca em tudo com Ctrl + K',
    ].join('\n'),
    bugfix: [
      'Ligações não somem mais quando duas pessoas ligam a mesma saída',
      'Acentos não atrapalham mais a busca',
      'O aviso de sem conexão some assim que a rede volta',
    ].join('\n'),
  }),
  sampleStep([5, '09:20'], 'camila.rocha', 'codesample', 'create', 'cpf', {
    name: 'Máscara de CPF',
    description: 'Mostra um CPF com pontos e traço',
    code: MASK_CPF,
    markdown_doc: '# Máscara de CPF\n\nRecebe só números e devolve o CPF **pronto para mostrar**.',
    hierarchylevel: id('hierarchy', 'aurora'),
  }),
  sampleStep([5, '09:26'], 'camila.rocha', 'codesample', 'create', 'saudacao', {
    name: 'Saudação pelo horário',
    description: 'Bom dia, boa tarde ou boa noite',
    code: GREETING,
    markdown_doc: '# Saudação pelo horário\n\nUse no começo da conversa.',
    hierarchylevel: id('hierarchy', 'aurora'),
  }),
  sampleStep([2, '11:31'], 'rafael.teixeira', 'codesample', 'change', 'saudacao', {
    description: 'Bom dia, boa tarde ou boa noite, no horário de Brasília',
  }),
  ...MESSAGES.flatMap(([code, pt, en]) =>
    Object.entries({ pt, en }).map(([locale, message]) =>
      sampleStep([5, '09:40'], 'camila.rocha', 'localemessage', 'create', `${code}.${locale}`, {
        locale,
        namespace: code.split('.')[0] ?? '',
        code,
        message,
        hierarchylevel: id('hierarchy', 'aurora'),
      }),
    ),
  ),
  sampleStep([4, '10:48'], 'camila.rocha', 'localemessage', 'change', 'geral.aguarde.pt', {
    message: 'Só um instantinho, por favor…',
  }),
  sampleStep([5, '09:50'], 'rafael.teixeira', 'globalvariable', 'create', 'token', {
    name: 'token_integracao',
    value: 'exemplo-troque-esta-chave',
    secret: true,
    hierarchylevel: id('hierarchy', 'aurora'),
  }),
  sampleStep([1, '11:12'], 'rafael.teixeira', 'globalvariable', 'change', 'token', { value: 'exemplo-chave-trocada' }),
  // Users of only one customer see only the key of that customer.
  ...['valeclaro', 'ventania'].map(level =>
    sampleStep([5, '09:51'], 'rafael.teixeira', 'globalvariable', 'create', `token-${level}`, {
      name: 'token_integracao',
      value: `exemplo-chave-${level}`,
      secret: true,
      hierarchylevel: id('hierarchy', level),
    }),
  ),
  sampleStep([5, '09:52'], 'rafael.teixeira', 'globalvariable', 'create', 'prontuario', {
    name: 'endereco_prontuario',
    value: 'https://prontuario.valeclaro.example/v1',
    secret: false,
    hierarchylevel: id('hierarchy', 'valeclaro'),
  }),
  sampleStep([4, '15:22'], 'rafael.teixeira', 'globalvariable', 'change', 'prontuario', {
    value: 'https://prontuario.valeclaro.example/v2',
  }),
]
