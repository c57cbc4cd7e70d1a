import { describe, expect, test } from 'vitest'
import { processorMs } from '#test/fixture/processor-clock.ts'
import { checkCompose } from './check-compose.ts'

const GOOD = `# Parley
version: "3.8"
x-common: &common
  restart: unless-stopped
services:
  gateway:
    <<: *common
    image: parley:1.0
    ports:
      - "3000:3000"
      - target: 80
        published: 8080
    environment:
      - LOG_LEVEL=info
    depends_on: [events]
    volumes:
      - data:/data
      - ./conf:/conf:ro
    healthcheck: { test: ["CMD", "true"], interval: 30s }
    deploy:
      replicas: 2
      resources: { limits: { cpus: "0.5", memory: 512M } }
  events:
    build: { context: ., args: { A: 1 } }
    environment: { EVENTSTORE_MEM_DB: "true" }
volumes:
  data:
`
const faults = (source: string) =>
  checkCompose(source).errors.map(({ line, column, path, code }) => `${line}:${column} ${path} ${code}`)

describe('compose file', () => {
  test('of version 3 is valid, with extensions, anchors and every section [D-5.09]', () => {
    expect(checkCompose(GOOD.replace('    <<: *common\n', ''))).toEqual({ valid: true, errors: [] })
    expect(checkCompose('services: { a: { image: x } }').valid).toBe(true)
  })

  test.each([
    ['version: "2.4"\nservices:\n  a:\n    image: x\n', ['1:10 version version']],
    ['services:\n  a:\n    imagee: x\n', ['3:13 services.a.imagee unknown']],
    ['services:\n  a:\n    image: x\n    ports: 80\n', ['4:12 services.a.ports type']],
    ['services:\n  a:\n    image: x\n    ports:\n      - "80:80"\n      - web\n', ['6:9 services.a.ports.1 type']],
    ['services:\n  a: {}\n', ['2:6 services.a image']],
    ['services:\n  a:\n    image: x\n    depends_on: [b]\n', ['4:18 services.a.depends_on.0 reference']],
    ['services:\n  a:\n    image: x\n    volumes: ["d:/d"]\n', ['4:15 services.a.volumes.0 reference']],
    ['volumes:\n  d:\n', ['1:1 services services']],
    ['', ['1:1  services']],
    ['just text', ['1:1  services']],
    ['service:\n  a: 1\nservices:\n  a:\n    image: x\n', ['2:3 service unknown']],
  ])('tells line and column of what is wrong: %j [D-5.09]', (source, expected) => {
    expect(faults(source)).toEqual(expected)
  })

  test('that is no YAML, or holds a key twice, tells where [D-5.09]', () => {
    expect(checkCompose('services:\n  a: [1\n')).toMatchObject({ valid: false, errors: [{ code: 'syntax', path: '' }] })
    const twice = checkCompose('services:\n  a:\n    image: x\n    image: y\n')
    expect(twice.errors).toMatchObject([{ line: 4, column: 5, code: 'syntax' }])
  })

  test('with aliases that expand to billions of nodes is refused in under 2 s [D-5.09]', () => {
    const rows = ['a: &a [x,x,x,x,x,x,x,x,x]']
    for (const [name, before] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg'].map(pair => [...pair]))
      rows.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join()}]`)
    const started = processorMs()
    expect(checkCompose(rows.join('\n')).errors).toMatchObject([{ code: 'alias' }])
    expect(processorMs() - started).toBeLessThan(2000)
  })

  test('of deep nesting and half a megabyte is answered [D-5.09]', () => {
    expect(checkCompose('['.repeat(5000)).valid).toBe(false)
    expect(checkCompose(`services:\n${'  a: {}\n'.repeat(20_000)}`).valid).toBe(false)
    expect(checkCompose('\u0000\uFFFE: 1').valid).toBe(false)
    expect(checkCompose('services: { __proto__: { image: x } }').valid).toBe(false)
  })
})
