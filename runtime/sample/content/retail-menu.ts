import { type Sketch, sketch } from '../sketch.ts'
import { shop } from './retail-shop.ts'

const { start, mark, say, ask, branch, call, set, media, task, end, handler, hours, agent } = sketch

/** Exchange, return and refund. */
const returns: Sketch = [
  {
    key: 'trocas',
    column: 1,
    row: 9,
    pieces: [
      mark('2. Trocas e devoluções'),
      say('Regras de troca', 'Você tem <b>7 dias</b> para se arrepender e <b>30 dias</b> para trocar, sem custo.'),
      ask('Pedido da troca', 'Qual pedido você quer trocar ou devolver?', 'pedido', { validation: 'AlphaNumeric' }),
      call('Confere o prazo', 'get', 'https://api.casalume.example/pedidos/{{pedido}}/troca', {
        result: 'prazo_troca',
      }),
      branch('Dentro do prazo?', [
        {
          label: 'Fora do prazo',
          variable: 'prazo_troca.no_prazo',
          datatype: 'boolean',
          is: 'isFalse',
          values: [],
          to: 'foradoprazo',
        },
      ]),
      ask('Motivo', 'Qual é o motivo?', 'motivo', {
        options: ['Defeito', 'Tamanho errado', 'Não gostei', 'Produto trocado'],
        style: 'list',
      }),
      ask('Trocar ou devolver', 'Você prefere trocar o produto ou receber o dinheiro de volta?', 'preferencia', {
        options: ['Trocar', 'Devolver'],
        style: 'button',
      }),
      branch('Troca ou devolução', [{ label: 'Devolver', variable: 'preferencia', to: 'reembolso' }], 'etiqueta'),
    ],
  },
  {
    key: 'etiqueta',
    column: 1,
    row: 19,
    pieces: [
      mark('2.1 Etiqueta de postagem'),
      call('Gera a etiqueta', 'post', 'https://api.casalume.example/etiquetas', {
        input: { pedido: '{{pedido}}', motivo: '{{motivo}}' },
        result: 'etiqueta',
      }),
      set('Guarda o código', { codigo_postagem: '{{etiqueta.codigo}}' }),
      say('Código de postagem', 'Leve o produto aos Correios com o código {{codigo_postagem}}. Vale por 10 dias.'),
      media('Como embalar', {
        kind: 'Video',
        text: 'Em um minuto: como embalar sem risco',
        uri: 'https://midia.casalume.example/como-embalar.mp4',
        buttons: ['Entendi'],
      }),
      say('Depois da postagem', 'Quando o produto chegar aqui, o novo sai no mesmo dia.', 'despedida'),
    ],
  },
  {
    key: 'reembolso',
    column: 2,
    row: 19,
    pieces: [
      mark('2.2 Reembolso'),
      ask('Forma de reembolso', 'Como você quer receber?', 'forma_reembolso', {
        options: ['Estorno no cartão', 'Pix', 'Vale-compra'],
        style: 'button',
      }),
      branch('É por Pix?', [{ label: 'Pix', variable: 'forma_reembolso', to: 'chavepix' }]),
      call('Pede o reembolso', 'post', 'https://pagamentos.casalume.example/reembolsos', {
        input: { pedido: '{{pedido}}', forma: '{{forma_reembolso}}' },
        result: 'reembolso',
      }),
      say(
        'Prazo do reembolso',
        'Pronto! O valor de R$ {{reembolso.valor}} volta em até {{reembolso.prazo}}.',
        'etiqueta',
      ),
    ],
  },
  {
    key: 'chavepix',
    column: 2,
    row: 29,
    pieces: [
      mark('2.3 Chave Pix'),
      ask('Chave Pix', 'Qual é a sua chave Pix? Pode ser CPF, e-mail ou telefone.', 'chave_pix'),
      call('Confere a chave', 'get', 'https://pagamentos.casalume.example/pix/chaves/{{chave_pix}}', {
        result: 'titular_pix',
      }),
      branch('É a mesma pessoa?', [
        { label: 'Outro titular', variable: 'titular_pix', is: 'notEquals', than: 'cpf', to: 'atendente' },
      ]),
      say(
        'Reembolso por Pix',
        'O Pix de R$ {{prazo_troca.valor}} sai em até um dia útil depois da postagem.',
        'etiqueta',
      ),
    ],
  },
  {
    key: 'foradoprazo',
    column: 2,
    row: 9,
    pieces: [
      mark('2.4 Fora do prazo'),
      say('Passou do prazo', 'Este pedido já passou do prazo de troca, mas a garantia é de 12 meses.'),
      ask('Usar a garantia', 'Quer acionar a garantia do produto?', 'usar_garantia', {
        options: ['Sim', 'Não'],
        style: 'button',
      }),
      branch('Aciona a garantia?', [{ label: 'Não', variable: 'usar_garantia', to: 'despedida' }], 'atendente'),
    ],
  },
]

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
