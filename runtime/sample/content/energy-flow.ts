import { type Sketch, sketch } from '../sketch.ts'

const { start, mark, say, ask, branch, call, set, handler, script, media, task, end, agent } = sketch

const MASK = `function run(codigo) {
  return codigo.replace(/(\\d{5})(\\d{5})/g, '$1.$2 ').trim()
}`

/** The second copy of an energy bill. */
export const energyInvoice: Sketch = [
  {
    key: 'identifica',
    column: 1,
    row: 0,
    pieces: [
      start(),
      mark('Segunda via da conta'),
      ask('Instalação', 'Qual é o número da <b>instalação</b>? Ele fica no alto da conta, à direita.', 'instalacao', {
        kind: 'number',
        retry: 'O número da instalação tem 9 dígitos.',
      }),
      handler('Confere o dígito', 'energia/confere-instalacao', ['instalacao']),
      call('Contas em aberto', 'get', 'https://api.ventania.example/instalacoes/{{instalacao}}/contas', {
        result: 'contas',
      }),
      branch(
        'Quantas contas?',
        [
          { label: 'Nenhuma', variable: 'contas.total', values: ['0'], to: 'em-dia' },
          { label: 'Uma só', variable: 'contas.total', values: ['1'], to: 'envia' },
        ],
        'escolhe',
      ),
    ],
  },
  {
    key: 'em-dia',
    column: 0,
    row: 7,
    pieces: [
      mark('Conta em dia'),
      say('Tudo pago', 'Boa notícia: não há nenhuma conta em aberto na instalação {{instalacao}}. ✅', 'mais'),
    ],
  },
  {
    key: 'envia',
    column: 1,
    row: 7,
    pieces: [
      mark('Envia a conta'),
      call('Gera a segunda via', 'post', 'https://api.ventania.example/instalacoes/{{instalacao}}/segunda-via', {
        input: { formato: 'pdf', conta: '{{conta}}' },
        result: 'segunda_via',
      }),
      script('Linha digitável com pontos', MASK, ['segunda_via.codigo'], 'linha_digitavel'),
      say(
        'Valor e vencimento',
        'Conta de {{segunda_via.mes}}: R$ {{segunda_via.total}}, vence em {{segunda_via.vence}}.',
      ),
      ask('Como quer pagar', 'Como você prefere pagar?', 'forma_pagamento', {
        options: ['Pix', 'Código de barras', 'Conta em PDF'],
        style: 'button',
      }),
      branch('Forma', [
        { label: 'Pix', variable: 'forma_pagamento', to: 'pix' },
        { label: 'PDF', variable: 'forma_pagamento', values: ['Conta em PDF'], to: 'pdf' },
      ]),
      say('Código de barras', '{{linha_digitavel}}\nCopie e cole no aplicativo do seu banco.', 'mais'),
    ],
  },
  {
    key: 'escolhe',
    column: 2,
    row: 7,
    pieces: [
      mark('Escolhe a conta'),
      ask('Qual conta', 'Você tem {{contas.total}} contas em aberto. Qual delas?', 'conta', {
        options: ['A mais antiga', 'A mais recente', 'Todas juntas'],
        style: 'list',
      }),
      branch('Todas?', [{ label: 'Todas', variable: 'conta', values: ['Todas juntas'], to: 'acordo' }], 'envia'),
    ],
  },
  {
    key: 'pix',
    column: 0,
    row: 15,
    pieces: [
      mark('Pix'),
      media('QR Code da conta', {
        text: 'Pague em qualquer banco',
        uri: 'https://midia.ventania.example/pix/{{segunda_via.numero}}.png',
        buttons: ['Já paguei'],
      }),
      say('Copia e cola', 'Ou copie este código:\n{{segunda_via.pix}}', 'mais'),
    ],
  },
  {
    key: 'pdf',
    column: 1,
    row: 15,
    pieces: [mark('PDF'), say('Conta em PDF', 'Aqui está a sua conta: {{segunda_via.pdf}} 📄', 'mais')],
  },
  {
    key: 'excecoes',
    column: 0,
    row: 19,
    pieces: [
      mark('Exceções'),
      set('Conta a tentativa', { tentativas: '{{tentativas + 1}}' }),
      say('Não entendi', 'Não entendi. Vamos do começo?', 'identifica'),
    ],
  },
  {
    key: 'erro',
    column: 1,
    row: 19,
    pieces: [
      mark('Sistema fora'),
      say('Instabilidade', 'O sistema de contas está fora do ar. Tente em 10 minutos.', 'mais'),
    ],
  },
  {
    key: 'mais',
    column: 2,
    row: 19,
    pieces: [
      mark('Mais alguma coisa'),
      ask('Ajuda em algo mais', 'Posso ajudar em mais alguma coisa?', 'continuar', {
        options: ['Falta de energia', 'Não, obrigado'],
        style: 'button',
        giveup: 'fim',
      }),
      branch('Continua?', [{ label: 'Falta de energia', variable: 'continuar', to: 'falta' }], 'fim'),
    ],
  },
  {
    key: 'falta',
    column: 1,
    row: 23,
    pieces: [mark('Falta de energia'), task('Vai para falta de energia', 'energia/rede')],
  },
  { key: 'fim', column: 2, row: 23, pieces: [end()] },
  {
    key: 'acordo',
    column: 2,
    row: 11,
    pieces: [
      mark('Parcelamento'),
      say('Oferta', 'Dá para juntar tudo em até <b>6 vezes</b> na própria conta, sem juros.'),
      ask('Quer parcelar', 'Quer falar com alguém sobre o parcelamento?', 'parcelar', {
        options: ['Quero', 'Agora não'],
        style: 'button',
      }),
      branch('Parcelar?', [{ label: 'Agora não', variable: 'parcelar', to: 'mais' }]),
      agent('Chama a negociação', 'negociacao', 'Posso chamar alguém da negociação?'),
      say('Depois do atendimento', 'O acordo chega no seu e-mail.', 'mais'),
    ],
  },
]

/** Reports that there is no power. */
export const energyOutage: Sketch = [
  {
    key: 'relato',
    column: 1,
    row: 0,
    pieces: [
      start(),
      mark('Falta de energia'),
      ask('Instalação', 'Qual é o número da instalação sem energia?', 'instalacao', { kind: 'number' }),
      call('Ocorrências na região', 'get', 'https://api.ventania.example/rede/{{instalacao}}', { result: 'rede' }),
      branch('Já sabemos?', [{ label: 'Conhecida', variable: 'rede', is: 'isNotNull', values: [], to: 'conhecida' }]),
      ask('É só na sua casa', 'A falta é só na sua casa ou na rua toda?', 'alcance', {
        options: ['Só na minha', 'Na rua toda'],
        style: 'button',
      }),
      call('Abre o chamado', 'post', 'https://api.ventania.example/chamados', {
        input: { instalacao: '{{instalacao}}', alcance: '{{alcance}}' },
        result: 'chamado',
      }),
      say('Chamado aberto', 'Chamado {{chamado.protocolo}} aberto. Uma equipe sai em até 2 horas. 🔧', 'fim'),
    ],
  },
  {
    key: 'conhecida',
    column: 2,
    row: 6,
    pieces: [
      mark('Ocorrência conhecida'),
      say('Previsão', 'Já estamos na sua região. A energia deve voltar até {{rede.previsao}}.', 'fim'),
    ],
  },
  {
    key: 'excecoes',
    column: 0,
    row: 6,
    pieces: [mark('Sem resposta'), say('Plantão', 'Se preferir, ligue para o plantão: 0800 000 0196.', 'fim')],
  },
  {
    key: 'erro',
    column: 0,
    row: 9,
    pieces: [mark('Erro'), say('Instabilidade', 'O sistema está instável. Ligue para o plantão, por favor.', 'fim')],
  },
  { key: 'fim', column: 2, row: 9, pieces: [end()] },
]
