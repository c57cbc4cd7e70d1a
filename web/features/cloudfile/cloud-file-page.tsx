import { Button, chakra, HStack, Input, Link, Spinner, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CloudUpload, Globe } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useParams } from 'react-router'
import { cloudfile } from '#schemas/entities/cloudfile.ts'
import { FILE_TYPES, MAX_UPLOAD_BYTES } from '#schemas/field/file-type.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { isCut, UploadProgress } from '#web/components/upload-progress.tsx'
import { addressOf } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { useEntityTexts, useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { DropZone } from '#web/entity/list/file-picker.tsx'
import { uploadFile } from '#web/form/control/use-cloud-upload.ts'

/** One file of an upload, and what became of it. */
interface UploadState {
  readonly key: number
  readonly name: string
  readonly state: 'running' | 'done' | 'failed'
  /** Address below `/botadmin/files/` of one that is done. */
  readonly address?: string
  /** Why it is not there. */
  readonly message?: string | undefined
  /** Share that is sent, 0 to 1. */
  readonly share?: number | undefined
  readonly cancel?: (() => void) | undefined
  /** Sends it again after a cut connection. */
  readonly retry?: (() => void) | undefined
}

let last = 0

/** Uploads files one after the other and makes each a file of the session's level. */
const useCloudUpload = () => {
  const { t } = useTranslation('entity/cloudfile')
  const { t: shell } = useTranslation('shell')
  const { refresh } = useEntityCommand(cloudfile)
  const [uploads, setUploads] = useState<readonly UploadState[]>([])
  const change = (key: number, next: Partial<UploadState>) =>
    setUploads(before => before.map(one => (one.key === key ? { ...one, ...next } : one)))

  const reasonOf = (failure: unknown): string => {
    if (isCut(failure)) return shell('progress.cut')
    if (!isProblem(failure) || failure.status >= 500) return t('upload.failed')
    if (failure.code === 'entity.name.taken') return t('upload.exists')
    // The limit is a setting of the gateway.
    if (failure.code === 'request.toolarge') return failure.message
    return `${t('upload.not')}: ${failure.errors[0]?.message ?? failure.message}`
  }
  const refusalOf = ({ size, type }: File): string | undefined => {
    if (size > MAX_UPLOAD_BYTES) return t('upload.toobig')
    if (size === 0) return `${t('upload.not')}: ${t('upload.empty')}`
    const isRefused = type !== '' && /html|svg|xml|script/u.test(type) && !FILE_TYPES.some(one => one === type)
    return isRefused ? `${t('upload.not')}: ${t('upload.script')}` : undefined
  }
  const send = async (file: File, key: number) => {
    const refusal = refusalOf(file)
    if (refusal !== undefined) return change(key, { state: 'failed', message: refusal })
    const controller = new AbortController()
    const { signal } = controller
    const onProgress = (share: number) => signal.aborted || change(key, { share })
    change(key, { state: 'running', message: undefined, share: 0, retry: undefined, cancel: () => controller.abort() })
    try {
      const stored = await uploadFile(file, { signal, onProgress })
      change(key, { cancel: undefined })
      const { id } = await http.post('/{entity}', {
        params: { entity: 'cloudfile' },
        body: { name: file.name.slice(-150), file: { ...stored } },
      })
      const { address } = await http.get('/{entity}/{id}', { params: { entity: 'cloudfile', id } })
      change(key, { state: 'done', share: undefined, address: String(address) })
    } catch (failure) {
      if (signal.aborted) return setUploads(before => before.filter(one => one.key !== key))
      const retry = isCut(failure) ? () => void send(file, key).then(refresh) : undefined
      change(key, { state: 'failed', share: undefined, cancel: undefined, message: reasonOf(failure), retry })
    }
  }
  const upload = async (files: readonly File[]) => {
    const begun = files.map((file): UploadState & { file: File } => {
      last += 1
      return { key: last, name: file.name, state: 'running', file }
    })
    setUploads(before => [...begun.map(({ file: _file, ...one }) => one), ...before])
    for (const { file, key } of begun) await send(file, key)
    await refresh()
  }
  return { uploads, upload, clear: () => setUploads([]) }
}

const UploadLine = ({ upload }: { readonly upload: UploadState }) => {
  const { state, name, address, message, share, cancel, retry } = upload
  return (
    <chakra.li display="flex" flexWrap="wrap" alignItems="center" gap="2" minH="8" textStyle="dense">
      {state === 'running' ? <Spinner size="xs" /> : null}
      {state === 'done' ? (
        <chakra.span color="positive.fg" display="inline-grid">
          <CircleCheck size={15} aria-hidden="true" />
        </chakra.span>
      ) : null}
      {state === 'failed' ? (
        <chakra.span color="danger.fg" display="inline-grid">
          <CircleAlert size={15} aria-hidden="true" />
        </chakra.span>
      ) : null}
      <Text as="span" fontWeight="medium" overflowWrap="anywhere">
        {name}
      </Text>
      {share === undefined && message === undefined ? null : (
        <UploadProgress share={share} error={message} cancel={cancel} retry={retry} />
      )}
      {address === undefined ? null : <AddressText path="/botadmin/files/" value={address} />}
    </chakra.li>
  )
}

const CloudDropZone = ({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) => {
  const { t } = useTranslation('entity/cloudfile')
  const input = useRef<HTMLInputElement>(null)
  return (
    <DropZone role="group" aria-label={t('upload.title')} py="7" bg="bg.surface" onFiles={onFiles}>
      <CloudUpload size={26} strokeWidth={1.5} aria-hidden="true" />
      <Text textStyle="dense" color="fg.muted" maxW="520px">
        {t('upload.text')}
      </Text>
      <Input
        ref={input}
        type="file"
        multiple
        display="none"
        accept={FILE_TYPES.join(',')}
        aria-label={t('upload.choose')}
        onChange={event => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <Button mt="1" onClick={() => input.current?.click()}>
        {t('upload.choose')}
      </Button>
    </DropZone>
  )
}

const Uploader = () => {
  const { t } = useTranslation('entity/cloudfile')
  const { can } = useSession()
  const { uploads, upload } = useCloudUpload()
  return (
    <Stack gap="3" mb="4">
      <HStack gap="2" align="start" color="warning.fg" textStyle="dense">
        <Globe size={16} aria-hidden="true" style={{ flex: 'none', marginTop: 2 }} />
        <Text>{t('upload.public')}</Text>
      </HStack>
      {can('createcloudfile') ? (
        <CloudDropZone onFiles={files => (files.length === 0 ? undefined : void upload(files))} />
      ) : null}
      <chakra.ul aria-live="polite" listStyleType="none" ps="0">
        {uploads.map(one => (
          <UploadLine key={one.key} upload={one} />
        ))}
      </chakra.ul>
    </Stack>
  )
}

/** /tools/uploadfiletocloud: files at public addresses, and where new ones are dropped. */
export const CloudFilePage = () => {
  useEntityTexts(['cloudfile'])
  return <EntityListPage above={<Uploader />} hasNew={false} />
}

/** Flows whose blocks, and things whose fields, link to the file. */
const LinkedFrom = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('entity/cloudfile')
  const label = useLabel()
  const { data } = useQuery({
    queryKey: ['cloudfile', 'links', id],
    queryFn: () => http.get('/cloudfile/{id}/links', { params: { id } }),
  })
  if (data === undefined) return null
  return (
    <chakra.section aria-labelledby={`links-${id}`} mb="5" maxW="960px">
      <Text as="h2" id={`links-${id}`} textStyle="card">
        {t('links.title')}
      </Text>
      {data.items.length === 0 ? (
        <Text textStyle="secondary" color="fg.muted">
          {t('links.none')}
        </Text>
      ) : null}
      <chakra.ul ps="0" listStyleType="none">
        {data.items.map(({ entity, id: holder, title, bot, block, field }) => (
          <chakra.li
            key={`${holder} ${field}`}
            py="1"
            fontSize="sm"
            display="flex"
            gap="2"
            flexWrap="wrap"
            alignItems="baseline"
          >
            <Link asChild overflowWrap="anywhere">
              <RouterLink to={addressOf(entity, holder, { block }) ?? ''}>{title}</RouterLink>
            </Link>
            <Text as="span" textStyle="secondary" color="fg.muted">
              {field === undefined ? bot : `${label.name(entity)} · ${label.field(entity, field)}`}
            </Text>
          </chakra.li>
        ))}
      </chakra.ul>
      {data.complete ? null : (
        <Text textStyle="secondary" color="fg.muted">
          {t('links.incomplete')}
        </Text>
      )}
    </chakra.section>
  )
}

/** One file: its address, and what links to it. */
export const CloudFileDetail = () => {
  const { id = '' } = useParams()
  const isReady = useEntityTextsReady(['cloudfile'])
  return (
    <EntityDetail
      key={id}
      entity={cloudfile}
      id={id}
      listAt="/tools/uploadfiletocloud"
      above={() => (isReady ? <LinkedFrom id={id} /> : null)}
    />
  )
}
