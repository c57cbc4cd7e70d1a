import { version as versionEntity } from '#schemas/entities/version.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { contentFor } from './apply-version.ts'
import { readContent, readContentText } from './content.ts'
import { type Preview, previewVersion } from './preview.ts'

/** What may be read of versions. Who may, is for the caller to check. */
export const versionReader = (context: CommandContext) => ({
  async versionFile(id: string): Promise<VersionFile | undefined> {
    const { state } = await context.loader.load(versionEntity, id)
    return state.status === 'live' ? readContent(context, id) : undefined
  },
  /** The same as JSON, which may be large. */
  async versionText(id: string): Promise<string | undefined> {
    const { state } = await context.loader.load(versionEntity, id)
    return state.status === 'live' ? readContentText(context, id) : undefined
  },
  async versionPreview(id: string, caller: Caller): Promise<Preview | undefined> {
    const { state } = await context.loader.load(versionEntity, id)
    const whole = state.status === 'live' ? await contentFor(context, state) : undefined
    if (state.status !== 'live' || !whole?.ok) return undefined
    return previewVersion(context, { version: state, ...whole.value, caller })
  },
})
