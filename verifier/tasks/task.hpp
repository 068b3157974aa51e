// Makes names of base/tasks available in the namespace of the verifier and the worker.
#pragma once

#include "base/tasks/key.hpp"
#include "base/tasks/shapes.hpp"
#include "base/tasks/task.hpp"
#include "verifier/tasks/domain.hpp"

namespace trl::runtime {

using tasks::attribute;
using tasks::count_operators;
using tasks::default_attribute;
using tasks::dtype_of;
using tasks::Expression;
using tasks::Extent;
using tasks::extent_json;
using tasks::Form;
using tasks::form_of;
using tasks::has_one_dtype;
using tasks::infer_shapes;
using tasks::InputValues;
using tasks::name;
using tasks::name_of;
using tasks::names_in;
using tasks::neighbours;
using tasks::Operator;
using tasks::OperatorPairs;
using tasks::parse_extent;
using tasks::parse_operator;
using tasks::parse_shape;
using tasks::renamed;
using tasks::Shape;
using tasks::shape_json;
using tasks::single_results;
using tasks::Sizes;
using tasks::Task;
using tasks::task_key;
using tasks::TaskInput;
using tasks::TaskModule;
using tasks::TaskResult;

}  // namespace trl::runtime
