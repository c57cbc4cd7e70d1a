import { type Sketch, sketch } from '../sketch.ts'
import { returns } from './retail-return.ts'

const { start, mark, say, ask, branch, call, set, gallery, media, task, end, handler, hours, agent } = sketch

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
      set('Prepara a conversa', { canal: 'context.channel', tentativas: '0', origem: "'whatsapp'" }),
      call('Reconhece o cliente', 'get', 'https://api.casalume.example/clientes?telefone={{telefone}}', {
        result: 'cliente',
        fails: 'erro',
      }),
      say(
        'Saudação',
        'Oi, {{nome}}! Eu sou a <b>Lume</b>, assistente da Casa Lume. 💡\nPosso cuidar de pedidos, trocas, pagamentos e do que mais você precisar.',
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
      ask('Número do pedido', 'Qual é o número do pedido? Ele começa com <b>CL</b> e está no e-mail de confirmação.', 'pedido', {
        validation: 'AlphaNumeric',
        retry: 'Um número de pedido é assim: CL204518. Pode tentar de novo?',
      }),
      call('Busca o pedido', 'get', 'https://api.casalume.example/pedidos/{{pedido}}', { result: 'dados_pedido' }),
      branch(
        'Situação do pedido',
        [
          { label: 'Atrasado', variable: 'situacao', values: ['atrasado'], to: 'atrasado' },
          { label: 'Entregue', variable: 'situacao', values: ['entregue'], to: 'entregue' },
          { label: 'Não existe', variable: 'dados_pedido', is: 'isNull', values: [], to: 'naoachei' },
        ],
      ),
      handler('Escreve o prazo por extenso', 'varejo/prazo', ['dados_pedido.previsao']),
      say('A caminho', 'Seu pedido <b>{{pedido}}</b> está com a {{transportadora}} e chega {{prazo}}. 🚚'),
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
      set('Guarda o protocolo', { protocolo: 'ocorrencia.protocolo', oferecer_cupom: 'true' }),
      say('Protocolo', 'Abri a ocorrência <b>{{protocolo}}</b>. A transportadora responde em até 24 horas.'),
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
      say('Entregue', 'Este pedido foi entregue em {{data_entrega}} e recebido por {{recebedor}}.'),
      ask('Recebeu mesmo', 'Está tudo certo com ele?', 'recebido', {
        options: ['Tudo certo', 'Veio com defeito', 'Não recebi'],
        style: 'button',
      }),
      branch('Depois da entrega', [
        { label: 'Defeito', variable: 'recebido', values: ['Veio com defeito'], to: 'trocas' },
        { label: 'Não recebi', variable: 'recebido', values: ['Não recebi'], to: 'atendente' },
      ]),
      task('Pede uma avaliação', 'varejo/pos-venda', 'varejo/avaliacao'),
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
      say('Encontrei', 'Achei! O último pedido neste CPF é o <b>{{pedido}}</b>.', 'rastrear'),
    ],
  },
]

const payments: Sketch = [
  {
    key: 'pagamento',
    column: 3,
    row: 9,
    pieces: [
      mark('3. Pagamento'),
      ask('Assunto do pagamento', 'O que você precisa sobre pagamento?', 'assunto_pagamento', {
        options: ['Segunda via do boleto', 'Código Pix', 'Compra recusada'],
        style: 'list',
      }),
      branch('Qual assunto', [
        { label: 'Boleto', variable: 'assunto_pagamento', values: ['Segunda via do boleto'], to: 'boleto' },
        { label: 'Recusada', variable: 'assunto_pagamento', values: ['Compra recusada'], to: 'recusada' },
      ]),
      call('Gera o Pix', 'post', 'https://pagamentos.casalume.example/pix', {
        input: { pedido: '{{pedido}}' },
        result: 'pix',
      }),
      say('Pix copia e cola', 'Copie o código e pague no seu banco em até <b>30 minutos</b>:\n{{pix_codigo}}'),
      media('QR Code', { text: 'Ou aponte a câmera', uri: 'https://midia.casalume.example/pix/{{pedido}}.png' }),
      say('Confirmação', 'Assim que o pagamento cair, eu confirmo por aqui.', 'despedida'),
    ],
  },
  {
    key: 'boleto',
    column: 3,
    row: 19,
    pieces: [
      mark('3.1 Segunda via do boleto'),
      call('Busca o boleto', 'get', 'https://pagamentos.casalume.example/boletos/{{pedido}}', { result: 'boleto' }),
      branch('Ainda dá para pagar?', [{ label: 'Vencido', variable: 'boleto_vencido', is: 'isTrue', values: [], to: 'pagamento' }]),
      say('Linha digitável', 'Aqui está a linha digitável, com vencimento em {{vencimento}}:\n<b>{{linha_digitavel}}</b>'),
      say('PDF do boleto', 'Também mandei o PDF para {{email}}.', 'despedida'),
    ],
  },
  {
    key: 'recusada',
    column: 3,
    row: 29,
    pieces: [
      mark('3.2 Compra recusada'),
      say('Por que foi recusada', 'O banco não aprovou a compra. O motivo mais comum é limite ou dados do cartão.'),
      ask('Outro pagamento', 'Quer tentar de outro jeito?', 'outro_pagamento', { options: ['Pix', 'Outro cartão'], style: 'button' }),
      branch('Como pagar', [{ label: 'Pix', variable: 'outro_pagamento', to: 'pagamento' }]),
      say('Link do carrinho', 'O carrinho está guardado. Finalize com outro cartão em {{link_carrinho}}.', 'despedida'),
    ],
  },
]

const shop: Sketch = [
  {
    key: 'novidades',
    column: 4,
    row: 9,
    pieces: [
      mark('4. Novidades'),
      say('Apresenta as novidades', 'Olha o que acabou de chegar na Casa Lume! ✨'),
      gallery('Lançamentos', [
        {
          title: 'Luminária Aurora',
          text: 'LED regulável, três tons de luz',
          picture: 'https://midia.casalume.example/aurora.jpg',
          buttons: ['Quero esta', 'Ver mais'],
        },
        {
          title: 'Poltrona Sabiá',
          text: 'Linho natural e pés de jequitibá',
          picture: 'https://midia.casalume.example/sabia.jpg',
          buttons: ['Quero esta', 'Ver mais'],
        },
        {
          title: 'Tapete Maré',
          text: 'Algodão, 2,00 × 2,50 m',
          picture: 'https://midia.casalume.example/mare.jpg',
          buttons: ['Quero este', 'Ver mais'],
        },
      ]),
      ask('Gostou de algum', 'Qual deles combina mais com a sua casa?', 'produto_escolhido', {
        options: ['Luminária Aurora', 'Poltrona Sabiá', 'Tapete Maré', 'Nenhum deles'],
        style: 'list',
      }),
      branch('Escolheu', [{ label: 'Nenhum', variable: 'produto_escolhido', values: ['Nenhum deles'], to: 'despedida' }]),
      call('Consulta o estoque', 'get', 'https://api.casalume.example/estoque?produto={{produto_escolhido}}', {
        result: 'estoque',
      }),
      branch('Tem em estoque?', [{ label: 'Esgotado', variable: 'estoque', values: ['0'], to: 'aviseme' }]),
      say('Link do produto', '<b>{{produto_escolhido}}</b> está disponível por R$ {{preco}}. Compre em {{link_produto}}.', 'despedida'),
    ],
  },
  {
    key: 'aviseme',
    column: 4,
    row: 19,
    pieces: [
      mark('4.1 Avise-me'),
      say('Esgotou', 'Este produto esgotou, mas volta na semana que vem.'),
      ask('Seu e-mail', 'Para qual e-mail eu mando o aviso?', 'email', { validation: 'Email' }),
      call('Guarda o interesse', 'post', 'https://api.casalume.example/interesses', {
        input: { produto: '{{produto_escolhido}}', email: '{{email}}' },
        result: 'interesse',
      }),
      say('Anotado', 'Anotado! Você vai ser a primeira pessoa a saber.', 'despedida'),
    ],
  },
  {
    key: 'lojas',
    column: 5,
    row: 9,
    pieces: [
      mark('5. Lojas'),
      ask('CEP', 'Digite seu CEP para eu achar a loja mais próxima.', 'cep', { validation: 'CEP' }),
      call('Lojas por perto', 'get', 'https://api.casalume.example/lojas?cep={{cep}}', { result: 'lojas' }),
      branch('Há loja por perto?', [{ label: 'Nenhuma', variable: 'lojas', is: 'isBlank', values: [], to: 'semloja' }]),
      say('Loja mais próxima', 'A loja mais perto é a <b>{{loja_nome}}</b>, na {{loja_endereco}}.'),
      say('Horário da loja', 'Ela abre de segunda a sábado, das 9h às 20h. 🕘'),
      media('Como chegar', { text: 'Mapa da loja {{loja_nome}}', uri: 'https://midia.casalume.example/lojas/{{loja_id}}.png' }),
      say('Boa visita', 'Boa visita! Mostre esta conversa no caixa e ganhe frete grátis.', 'despedida'),
    ],
  },
  {
    key: 'semloja',
    column: 5,
    row: 19,
    pieces: [
      mark('5.1 Sem loja por perto'),
      say('Ainda não chegamos', 'Ainda não temos loja na sua região, mas entregamos em todo o Brasil.', 'novidades'),
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
      set('Monta o caso', { fila: "'sac'", prioridade: "oferecer_cupom ? 'alta' : 'normal'" }),
      say('Transferência', 'Estou chamando alguém da equipe. Sua posição na fila é {{posicao_fila}}.'),
      agent('Chama o atendimento', '{{fila}}', 'Você está em conversa com {{nome_atendente}}.'),
      task('Avaliação depois do atendimento', 'varejo/pos-venda', 'varejo/avaliacao'),
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
      set('Conta a tentativa', { tentativas: 'tentativas + 1' }),
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
      branch('Continua?', [{ label: 'Sim', variable: 'continuar', values: ['Sim, por favor'], to: 'boas-vindas' }], 'encerrar'),
    ],
  },
  {
    key: 'encerrar',
    column: 6,
    row: 33,
    pieces: [
      mark('Encerramento'),
      say('Tchau', 'Foi um prazer, {{nome}}! A Casa Lume agradece. 💛'),
      end('Fim da conversa'),
    ],
  },
]

/** The main dialog of the shop's bot: everything that a customer may ask for. */
export const retailMenu: Sketch = [...welcome, ...tracking, ...returns, ...payments, ...shop, ...service]
