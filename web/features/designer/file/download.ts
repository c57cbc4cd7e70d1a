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

interface ChosenJson {
  readonly name: string
  /** Null when it is not JSON. */
  readonly json: unknown
}

/** Asks for a file and reads it as JSON; undefined when none was chosen. */
export const chooseJson = (): Promise<ChosenJson | undefined> =>
  new Promise(resolve => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = '.json,application/json'
    input.oncancel = () => resolve(undefined)
    input.onchange = async () => {
      const file = input.files?.[0]
      if (file === undefined) return resolve(undefined)
      const { name } = file
      try {
        resolve({ name, json: JSON.parse(await file.text()) })
      } catch {
        resolve({ name, json: null })
      }
    }
    input.click()
  })
