import { defineEntity } from '../entity.ts'
import { boolean, expression, jsonSchema, reference, string } from '../field/field.ts'

/** Import of contacts from files. */
export const campaignuploadprofile = defineEntity({
  name: 'campaignuploadprofile',
  type: 'CampaignUploadProfile',
  parent: 'level',
  icon: 'FileUp',
  fields: {
    name: string({ required: true }),
    campaign_id: reference('campaign', { required: true }),
    /** Input: each record, an object by the names of the file's columns; the schema checks the output. */
    transformation_pre_rule: expression('JsonAta'),
    validation_schema: jsonSchema(),
    /** Input: each valid record; output: phone, nome, field01 … field16. */
    transformation_post_rule: expression('JsonAta'),
    /** Valid records are added although others are not valid. */
    partial_upload_allowed: boolean(),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'campaign_id', as: 'reference' },
      { field: 'partial_upload_allowed', as: 'boolean' },
    ],
    search: ['name'],
  },
  form: [
    { id: 'general', fields: ['name', 'campaign_id', 'partial_upload_allowed'] },
    { id: 'rules', fields: ['transformation_pre_rule', 'validation_schema', 'transformation_post_rule'] },
  ],
  page: 'own',
  place: { menu: { group: 'reach', order: 25 }, listUnder: 'campaign' },
})
