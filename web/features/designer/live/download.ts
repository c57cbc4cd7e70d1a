import type { FlowFile } from '#schemas/flow/file.ts'

const fileName = (name: string) => name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/gu, '') || 'flow'

/** Hands a file to the person, under a name that any system takes. */
export const download = (content: Blob, name: string, ending: `.${string}`): void => {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = `${fileName(name)}${ending}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Hands a flow file to the person. */
export const downloadFlow = (file: FlowFile, name: string): void =>
  download(new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }), name, '.flow.json')

/** Asks for a file and reads it as JSON; undefined when none was chosen, null when it is not JSON. */
export const chooseJson = (): Promise<unknown> =>
  new Promise(resolve => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = '.json,application/json'
    input.oncancel = () => resolve(undefined)
    input.onchange = async () => {
      const text = await input.files?.[0]?.text()
      if (text === undefined) return resolve(undefined)
      try {
        resolve(JSON.parse(text))
      } catch {
        resolve(null)
      }
    }
    input.click()
  })
