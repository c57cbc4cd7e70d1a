import { Button, chakra, HStack, Input, Spinner, Stack, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, CloudUpload, Globe } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FILE_TYPES } from '#schemas/field/file-type.ts'
import { useSession } from '#web/api/session.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { UploadProgress } from '#web/components/upload-progress.tsx'
import { useEntityTexts } from '#web/entity/label.ts'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { type UploadState, useCloudUpload } from './use-cloud-upload.ts'

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

const DropZone = ({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) => {
  const { t } = useTranslation('entity/cloudfile')
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    <Stack
      role="group"
      aria-label={t('upload.title')}
      align="center"
      gap="2"
      px="5"
      py="7"
      textAlign="center"
      borderWidth="1px"
      borderStyle="dashed"
      borderColor={isOver ? 'accent.solid' : 'border.emphasized'}
      bg={isOver ? 'accent.subtle' : 'bg.surface'}
      borderRadius="lg"
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    >
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
    </Stack>
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
        <DropZone onFiles={files => (files.length === 0 ? undefined : void upload(files))} />
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
