import { expect, test } from 'vitest'
import { isCurl, readCurl } from './read-curl.ts'

test('reads method, address, headers and body of a command over several lines [P-2946]', () => {
  const command = `curl --location --request POST 'https://api.loja.example/v1/pedidos?x=1' \\
  -H 'Authorization: Bearer abc' \\
  --header "Content-Type: application/json" \\
  --data-raw '{"itens": [{"nome": "Pão d'\\''água"}]}' --compressed -m 2.5`
  expect(isCurl(command)).toBe(true)
  expect(readCurl(command)).toEqual({
    methodType: 'post',
    url: 'https://api.loja.example/v1/pedidos?x=1',
    headers: { Authorization: 'Bearer abc', 'Content-Type': 'application/json' },
    input: '{"itens": [{"nome": "Pão d\'água"}]}',
    formData: {},
    timeout: 2500,
  })
})

test.each([
  ['curl https://a.example', { methodType: 'get', url: 'https://a.example', headers: {}, input: '', formData: {} }],
  ['$ curl -sSL -XDELETE "https://a.example/7"', { methodType: 'delete', url: 'https://a.example/7' }],
  [
    'curl a.example -d nome=Ana -d "cidade=Belo+Horizonte"',
    { methodType: 'post', url: 'http://a.example', input: '', formData: { nome: 'Ana', cidade: 'Belo Horizonte' } },
  ],
  [
    'curl -G https://a.example/busca --data-urlencode "q=pão doce" -d p=2',
    { methodType: 'get', url: 'https://a.example/busca?p=2&q=p%C3%A3o%20doce', input: '', formData: {} },
  ],
  ["curl https://a.example -u 'ana:çedilha'", { headers: { Authorization: 'Basic YW5hOsOnZWRpbGhh' } }],
  [
    'curl https://a.example --json \'{"a":1}\'',
    {
      methodType: 'post',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      input: '{"a":1}',
    },
  ],
  ['curl https://a.example --data-binary $\'{"a":"l\\\'eau\\\\n"}\'', { input: '{"a":"l\'eau\\n"}' }],
  ['curl ^\r\n "https://a.example" ^\r\n -F "foto=x"', { methodType: 'post', formData: { foto: 'x' } }],
  [
    'curl -X PATCH {{servidor}}/pedidos/{{pedido}} -o /dev/null',
    { methodType: 'patch', url: '{{servidor}}/pedidos/{{pedido}}' },
  ],
])('reads %s [P-2946]', (command, wanted) => {
  expect(readCurl(command)).toMatchObject(wanted)
})

test('reads nothing from a command without an address, and takes other texts for none [P-2946]', () => {
  expect(readCurl('curl -s -X POST')).toBeUndefined()
  expect(isCurl('https://curl.example/a')).toBe(false)
  expect(isCurl('curly https://a.example')).toBe(false)
})
