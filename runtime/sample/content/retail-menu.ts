import { type Sketch, sketch } from '../sketch.ts'
import { returns } from './retail-return.ts'
import { shop } from './retail-shop.ts'

const { start, mark, say, ask, branch, call, set, media, task, end, handler, hours, agent } = sketch

const MENU = [
  '📦 Rastrear pedido',
  '🔁 Trocas e devoluções',
  '💳 Pagamento',
  '🛋️ Novidades',
  '🏬 Lojas',
  '💬 Falar com a gente',
]

const welcome: Sketch = [
  {
    key: 'boas-vindas',
    column: 3,
    row: 0,
    pieces: [
      start(),
      mark('Boas-vindas'),
      set('Prepara a conversa', { canal: '{{channel}}', tentativas: '{{tentativas || 0}}', origem: 'whatsapp' }),
      call('Reconhece o cliente', 'get', 'https://api.casalume.example/clientes?telefone={{telefone}}', {
        result: 'cliente',
        fails: 'erro',
      }),
      say(
        'Saudação',
        'Oi, {{cliente.nome}}! Eu sou a <b>Lume</b>, assistente da Casa Lume. 💡\nPosso cuidar de pedidos, trocas, pagamentos e do que mais você precisar.',
      ),
      ask('Menu principal', 'Sobre o que vamos conversar hoje?', 'opcao_menu', {
        options: MENU,
        style: 'list',
        retry: 'Não entendi. Toque em uma das opções da lista, por favor.',
      }),
      branch(
        'Para onde ir',
        [
          { label: 'Rastrear', variable: 'opcao_menu', is: 'contains', values: ['Rastrear'], to: 'rastrear' },
          { label: 'Trocas', variable: 'opcao_menu', is: 'contains', values: ['Trocas'], to: 'trocas' },
          { label: 'Pagamento', variable: 'opcao_menu', is: 'contains', values: ['Pagamento'], to: 'pagamento' },
          { label: 'Novidades', variable: 'opcao_menu', is: 'contains', values: ['Novidades'], to: 'novidades' },
          { label: 'Lojas', variable: 'opcao_menu', is: 'contains', values: ['Lojas'], to: 'lojas' },
          { label: 'Atendente', variable: 'opcao_menu', is: 'contains', values: ['Falar'], to: 'atendente' },
        ],
        'excecoes',
      ),
    ],
  },
]

const tracking: Sketch = [
  {
    key: 'rastrear',
    column: 0,
    row: 9,
    pieces: [
      mark('1. Rastrear pedido'),
      ask(
        'Número do pedido',
        'Qual é o número do pedido? Ele começa com <b>CL</b> e está no e-mail de confirmação.',
        'pedido',
        {
          validation: 'AlphaNumeric',
          retry: 'Um número de pedido é assim: CL204518. Pode tentar de novo?',
        },
      ),
      call('Busca o pedido', 'get', 'https://api.casalume.example/pedidos/{{pedido}}', { result: 'dados_pedido' }),
      branch('Situação do pedido', [
        { label: 'Atrasado', variable: 'dados_pedido.situacao', values: ['atrasado'], to: 'atrasado' },
        { label: 'Entregue', variable: 'dados_pedido.situacao', values: ['entregue'], to: 'entregue' },
        { label: 'Não existe', variable: 'dados_pedido', is: 'isNull', values: [], to: 'naoachei' },
      ]),
      handler('Escreve o prazo por extenso', 'varejo/prazo', ['dados_pedido.previsao']),
      say(
        'A caminho',
        'Seu pedido {{pedido}} está com a {{dados_pedido.transportadora}} e chega {{handler.result}}. 🚚',
      ),
      media('Acompanhe no mapa', {
        text: 'O caminho do pedido {{pedido}} até você',
        uri: 'https://midia.casalume.example/rastreio/{{pedido}}.png',
        buttons: ['Ver detalhes', 'Voltar ao menu'],
      }),
      say('Mais alguma coisa', 'Se o prazo mudar, eu aviso por aqui.', 'despedida'),
    ],
  },
  {
    key: 'atrasado',
    column: 0,
    row: 19,
    pieces: [
      mark('1.1 Pedido atrasado'),
      say('Pedido de desculpas', 'O pedido passou do prazo, e a gente sente muito por isso.'),
      call('Abre ocorrência', 'post', 'https://api.casalume.example/ocorrencias', {
        input: { pedido: '{{pedido}}', motivo: 'atraso' },
        result: 'ocorrencia',
      }),
      set('Guarda o protocolo', { protocolo: '{{ocorrencia.protocolo}}', oferecer_cupom: '{{true}}' }),
      say('Protocolo', 'Abri a ocorrência {{protocolo}}. A transportadora responde em até 24 horas.'),
      ask('Prefere esperar', 'Você prefere esperar a entrega ou cancelar a compra?', 'decisao', {
        options: ['Vou esperar', 'Quero cancelar'],
        style: 'button',
      }),
      branch('Esperar ou cancelar', [
        { label: 'Cancelar', variable: 'decisao', values: ['Quero cancelar'], to: 'reembolso' },
      ]),
      say('Cupom', 'Obrigada pela paciência! O cupom <b>LUZ10</b> vale 10% na próxima compra.', 'despedida'),
    ],
  },
  {
    key: 'entregue',
    column: 0,
    row: 29,
    pieces: [
      mark('1.2 Pedido entregue'),
      say(
        'Entregue',
        'Este pedido foi entregue em {{dados_pedido.entregue_em}} e recebido por {{dados_pedido.recebedor}}.',
      ),
      ask('Recebeu mesmo', 'Está tudo certo com ele?', 'recebido', {
        options: ['Tudo certo', 'Veio com defeito', 'Não recebi'],
        style: 'button',
      }),
      branch('Depois da entrega', [
        { label: 'Defeito', variable: 'recebido', values: ['Veio com defeito'], to: 'trocas' },
        { label: 'Não recebi', variable: 'recebido', values: ['Não recebi'], to: 'atendente' },
      ]),
      task('Pede uma avaliação', 'varejo/pos-venda'),
    ],
  },
  {
    key: 'naoachei',
    column: 1,
    row: 29,
    pieces: [
      mark('1.3 Pedido não encontrado'),
      say('Não encontrei', 'Procurei, mas não encontrei o pedido {{pedido}}.'),
      ask('Tentar pelo CPF', 'Quer que eu procure pelo seu CPF?', 'buscar_cpf', {
        options: ['Sim', 'Não'],
        style: 'button',
      }),
      branch('Com ou sem CPF', [{ label: 'Não', variable: 'buscar_cpf', to: 'atendente' }]),
      ask('CPF', 'Digite o CPF da compra, só os números.', 'cpf', { validation: 'CPF' }),
      call('Busca por CPF', 'get', 'https://api.casalume.example/pedidos?cpf={{cpf}}', { result: 'dados_pedido' }),
      say('Encontrei', 'Achei! O último pedido neste CPF é o {{dados_pedido.numero}}.', 'rastrear'),
    ],
  },
]

const service: Sketch = [
  {
    key: 'atendente',
    column: 6,
    row: 9,
    pieces: [
      mark('6. Falar com a gente'),
      hours('Horário de atendimento', '08:00', '20:00', 'foradohorario', true),
      ask('Resumo do caso', 'Conte em uma frase o que aconteceu, para eu já adiantar à equipe.', 'resumo'),
      set('Monta o caso', { fila: 'sac', prioridade: "{{oferecer_cupom ? 'alta' : 'normal'}}" }),
      say('Transferência', 'Obrigada! Já passo o seu caso à equipe.'),
      agent('Chama o atendimento', '{{fila}}', 'Posso chamar alguém da equipe agora?'),
      task('Avaliação depois do atendimento', 'varejo/pos-venda'),
    ],
  },
  {
    key: 'foradohorario',
    column: 6,
    row: 19,
    pieces: [
      mark('6.1 Fora do horário'),
      say('Estamos fechados', 'Nossa equipe atende de segunda a sábado, das 8h às 20h.'),
      ask('Deixar recado', 'Quer deixar um recado? Respondemos na próxima manhã.', 'recado'),
      call('Guarda o recado', 'post', 'https://api.casalume.example/recados', {
        input: { texto: '{{recado}}', telefone: '{{telefone}}' },
        result: 'recado_salvo',
      }),
      say('Recado guardado', 'Recado anotado. Até amanhã!', 'despedida'),
    ],
  },
  {
    key: 'excecoes',
    column: 5,
    row: 22,
    pieces: [
      mark('Exceções'),
      set('Conta a tentativa', { tentativas: '{{tentativas + 1}}' }),
      branch('Muitas tentativas?', [
        { label: 'Três ou mais', variable: 'tentativas', is: 'greaterOrEqual', values: ['3'], to: 'atendente' },
      ]),
      say('Não entendi', 'Desculpe, não entendi. Vamos tentar de novo?', 'boas-vindas'),
    ],
  },
  {
    key: 'erro',
    column: 5,
    row: 29,
    pieces: [
      mark('Erro de integração'),
      handler('Registra o erro', 'varejo/registra-erro', ['erro_integracao']),
      say('Instabilidade', 'Nosso sistema está instável agora. Pode tentar de novo em alguns minutos?', 'despedida'),
    ],
  },
  {
    key: 'despedida',
    column: 6,
    row: 29,
    pieces: [
      mark('Despedida'),
      ask('Mais alguma coisa?', 'Posso ajudar em mais alguma coisa?', 'continuar', {
        options: ['Sim, por favor', 'Não, obrigado'],
        style: 'button',
        giveup: 'encerrar',
      }),
      branch(
        'Continua?',
        [{ label: 'Sim', variable: 'continuar', values: ['Sim, por favor'], to: 'boas-vindas' }],
        'encerrar',
      ),
    ],
  },
  {
    key: 'encerrar',
    column: 6,
    row: 33,
    pieces: [
      mark('Encerramento'),
      say('Tchau', 'Foi um prazer, {{cliente.nome}}! A Casa Lume agradece. 💛'),
      end('Fim da conversa'),
    ],
  },
]

/** The main dialog of the shop's bot: everything that a customer may ask for. The shop was drawn last, for version 1.1. */
export const retailMenu: Sketch = [...welcome, ...service, ...tracking, ...returns, ...shop]
